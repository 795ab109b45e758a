import { Readable } from 'node:stream';
import { firstReportPage, reportPagesFrom } from '../../db/campaigns/report';
import type { Campaign } from '../../db/campaigns/campaigns';
import type { ReportRow } from '../../domain/report-row';
import type { Db } from '../../db/kernel/connection';
import { assertNever } from '../../domain/assert-never';
import { reportColumns, type ReportColumn } from '../../runtime/report/columns';
import { csvChunks } from '../../runtime/report/csv';
import { xlsxReport } from '../../runtime/report/xlsx';

export const REPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface CampaignReport {
  stream: Readable;
  contentType: string;
  filename: string;
}

const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Streams the campaign's contacts with their outcomes. The first page is read before this resolves, so that a database that is down still
 * yields a proper error response. A later failure breaks off the stream.
 */
export async function campaignReport(
  db: Db,
  campaign: Pick<Campaign, 'id' | 'contactColumns'>,
  format: ReportFormat,
): Promise<CampaignReport> {
  const columns = reportColumns(campaign.contactColumns);
  const first = await firstReportPage(db, campaign.id);
  return {
    stream: written(format, columns, reportPagesFrom(db, campaign.id, first)),
    contentType: CONTENT_TYPES[format],
    filename: `campaign-${campaign.id}.${format}`,
  };
}

function written(
  format: ReportFormat,
  columns: readonly ReportColumn[],
  pages: AsyncIterable<ReportRow[]>,
): Readable {
  switch (format) {
    case 'csv':
      return Readable.from(csvChunks(columns, pages), { objectMode: false });
    case 'xlsx':
      return xlsxReport(columns, pages);
    default:
      return assertNever(format);
  }
}
