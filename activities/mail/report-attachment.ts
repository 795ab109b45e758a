import { firstReportPage, reportPagesFrom } from '../../db/campaigns/report';
import type { Db } from '../../db/kernel/connection';
import { reportColumns } from '../../runtime/report/columns';
import { csvChunks } from '../../runtime/report/csv';

/** Base64 adds a third, which stays below the 10 MB limit of the strictest common servers. 10,000 contacts take 1 to 2 MB. */
export const MAX_ATTACHMENT_BYTES = 7 * 1024 * 1024;

/** Returns the campaign's report as CSV, or null if it exceeds the limit. */
export async function reportAttachment(
  db: Db,
  campaign: { id: string; contactColumns: readonly string[] },
  maxBytes = MAX_ATTACHMENT_BYTES,
): Promise<Buffer | null> {
  const pages = reportPagesFrom(db, campaign.id, await firstReportPage(db, campaign.id));
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const text of csvChunks(reportColumns(campaign.contactColumns), pages)) {
    const chunk = Buffer.from(text, 'utf8');
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
