import { Readable } from 'node:stream';
import type { Campaign } from '../../db/campaigns/campaigns';
import { firstReportPage, reportPagesFrom } from '../../db/campaigns/report';
import type { Db } from '../../db/kernel/connection';
import { assertNever } from '../../domain/assert-never';
import type { ReportRow } from '../../domain/report-row';
import { reportColumns, type ReportColumn } from '../../runtime/report/columns';
import { csvChunks } from '../../runtime/report/csv';
import { xlsxReport } from '../../runtime/report/xlsx';
import type { RouteTools } from '../dependencies';
import { answersFile, byKey, endpoint } from '../http/endpoint';
import { oneOf } from '../http/schema/kinds';
import { campaignNotFound } from '../http/errors/refusals';
import { about, defaulting, object } from '../http/schema/field';
import { campaignOf, campaignParams } from './schema';

const REPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

interface CampaignReport {
  stream: Readable;
  contentType: string;
  filename: string;
}

const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const downloadingReport = ({ deps }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/report',
    tag: 'Campaigns',
    summary: 'Download a report on every contact',
    description: 'Reflects the current state, also while the campaign is running.',
    access: byKey,
    scope: 'read',
    input: {
      params: campaignParams,
      query: object({ format: about(defaulting(oneOf(...REPORT_FORMATS), 'csv'), 'Format of the file') }),
    },
    answer: answersFile('The report', 'text/csv', CONTENT_TYPES.xlsx),
    refusals: [campaignNotFound()],
    handle: async ({ params, query }, organization) =>
      campaignReport(deps.db, await campaignOf(deps.db, params.campaign_id, organization.id), query.format),
    present: ({ stream, contentType, filename }, { ctx }) => {
      ctx.type = contentType;
      ctx.attachment(filename);
      return stream;
    },
  });

/**
 * Streams the campaign's contacts with their outcomes. The first page is read before this resolves, so that a database that is down still
 * yields a proper error response. A later failure aborts the stream.
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
