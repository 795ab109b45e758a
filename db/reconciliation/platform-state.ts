/** Metrics of the whole platform in one statement: counts and ages, read from the small indexes of open rows. */
import type { PlatformState } from '../../domain/platform-state';
import type { Db } from '../kernel/connection';
import { NUMBER_IS_FREE } from './overdue';
import { onlyRow, timestamp } from '../kernel/query';

const age = (since: string): string =>
  `coalesce(greatest(extract(epoch from :now::timestamptz - ${since}), 0), 0)::float`;

/**
 * Counts campaigns that grant_lines or claim_page would serve: within their dialling time, below their concurrency and their organization's
 * maximum, and with a waiting call or a due contact. Leaves out due contacts with a zone key, because their zone may be closed.
 */
const STARVED = `
  select count(*) from campaigns c join organizations o on o.id = c.organization_id
  where c.status = 'active' and c.dialing_until > :now
    and (select count(*) from lines l where l.organization_id = c.organization_id) < o.max_concurrency
    and (select count(*) from lines l where l.campaign_id = c.id) < c.concurrency
    and (exists (select 1 from calls k where k.organization_id = c.organization_id and k.campaign_id = c.id and k.stage = 'waiting' and ${NUMBER_IS_FREE})
      or exists (select 1 from contacts t where t.campaign_id = c.id and t.zone_key = '' and t.state = 'pending' and t.call_id is null
                   and t.next_attempt_at is null)
      or exists (select 1 from contacts t where t.campaign_id = c.id and t.zone_key = '' and t.state = 'pending' and t.call_id is null
                   and t.next_attempt_at <= :now))`;

export function platformState(db: Db, now: number): Promise<PlatformState> {
  return onlyRow<PlatformState>(
    db,
    `with held as (select count(*) as n, min(l.taken_at) as since,
         count(*) filter (where k.stage is null or k.stage not in ('granted', 'requested', 'placed')) as leaked
       from lines l left join calls k on k.call_id = l.call_id),
     ended as (select count(*) as n, min(ended_at) as since from calls where stage = 'over' and concluded_at is null),
     pending as (select count(*) as n, min(created_at) as since, min(next_attempt_at) as due
       from webhook_deliveries where status = 'pending')
     select held.n as "linesInUse", held.leaked as "linesLeaked", ${age('held.since')} as "oldestLineS",
       ${age("(select min(granted_at) from calls where stage = 'granted')")} as "oldestUnusedLineS",
       (select coalesce(jsonb_object_agg(stage, n), '{}') from (
          select stage, count(*) as n from calls where stage <> 'over' group by stage) s) as "callsByStage",
       ended.n as "unprocessedCalls", ${age('ended.since')} as "oldestUnprocessedCallS",
       (select count(distinct l.call_id) from retention_left l join calls k on k.call_id = l.call_id
        where k.concluded_at is null) as "callsPastRetention",
       (select count(*) from suspect_workflows where fault is not null) as "stuckWorkflows",
       (select coalesce(jsonb_object_agg(status, n), '{}') from (
          select status, count(*) as n from campaigns where ended_at is null group by status) s) as "openCampaignsByStatus",
       (${STARVED}) as "starvedCampaigns",
       pending.n as "pendingWebhooks", ${age('pending.since')} as "oldestPendingWebhookS",
       ${age('pending.due')} as "webhookAttemptLateS"
     from held, ended, pending`,
    { now: timestamp(now) },
  );
}
