import type { ReportRow } from '../../domain/report-row';
import { sinceCampaign } from '../calls/months';
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';

/** Returns the contacts after a row of the file. Paging by row keeps later pages as cheap as the first. */
function reportPage(
  db: Db,
  campaignId: string,
  { afterRow, limit }: { afterRow: number; limit: number },
): Promise<ReportRow[]> {
  return rows<ReportRow>(
    db,
    `select c.row_number as "row", c.name, c.phone_number as "phoneNumber", c.variables, c.state, c.reason,
       greatest(c.attempts, coalesce(k.attempt, 0)) as attempts, c.next_attempt_at as "nextAttemptAt",
       k.call_id as "callId", k.call_status as "callStatus", coalesce(k.dialing_at, k.requested_at) as "dialledAt",
       k.answered_at as "answeredAt", k.ended_at as "endedAt", k.duration_ms as "durationMs", k.call_cost as "callCost",
       k.summary, k.eval_tag as "evalTag"
     from contacts c
     left join lateral (
       select * from all_calls p where contact_id = c.id and ${sinceCampaign('p', ':campaignId')} and requested_at is not null order by attempt desc limit 1
     ) k on true
     where c.campaign_id = :campaignId and c.row_number > :afterRow
     order by c.row_number limit :limit`,
    { campaignId, afterRow, limit },
  );
}

/** The largest campaign takes ten statements, and memory holds only one page at a time. */
const ROWS_PER_PAGE = 1_000;

export const firstReportPage = (db: Db, campaignId: string): Promise<ReportRow[]> =>
  reportPage(db, campaignId, { afterRow: 0, limit: ROWS_PER_PAGE });

/** Yields the first page and reads each further one on demand. */
export async function* reportPagesFrom(
  db: Db,
  campaignId: string,
  first: ReportRow[],
): AsyncGenerator<ReportRow[]> {
  let page = first;
  while (page.length > 0) {
    yield page;
    const afterRow = page.at(-1)?.row ?? 0;
    page =
      page.length < ROWS_PER_PAGE ? [] : await reportPage(db, campaignId, { afterRow, limit: ROWS_PER_PAGE });
  }
}
