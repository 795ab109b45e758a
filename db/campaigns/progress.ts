/** Current progress of campaigns for live pages, read for all campaigns together and at most once a second. */
import type { FinalCallStatus } from '../../domain/call-outcome';
import { sinceCampaign } from '../calls/months';
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';
import { snapshotColumns, type CampaignSnapshot } from './snapshot';

export interface CampaignProgress extends CampaignSnapshot {
  id: string;
  organizationId: string;
  statusReason: string | null;
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
  concurrency: number;
  endedAt: Date | null;
  contactsLeft: boolean;
  nextDueAt: Date | null;
  waitingCalls: number;
  liveCalls: number;
  /** Counts only among the newest 2,000 calls. */
  dialledInLastMinute: number;
}

const MINUTE_MS = 60_000;
/** Maximum number of open campaigns per organization. Older ones are left out. */
const MAX_OF_ORGANIZATION = 100;

/** The cost doesn't grow with the size of the campaigns. Leaves out unknown campaigns. */
export function progressOf(db: Db, campaignIds: readonly string[], now: number): Promise<CampaignProgress[]> {
  return rows<CampaignProgress>(
    db,
    `select p.id, p.organization_id as "organizationId", ${snapshotColumns('p')}, p.status_reason as "statusReason",
       p.total_contacts as total, p.completed_contacts as completed, p.in_progress_contacts as "inProgress",
       p.failed_contacts as failed, p.concurrency, p.ended_at as "endedAt",
       has_contacts_left(p.id) as "contactsLeft",
       next_due_at(p, :now) as "nextDueAt",
       open.waiting as "waitingCalls", open.live as "liveCalls",
       case when p.ended_at is not null then 0 else (
         select count(*) from (select requested_at from calls where campaign_id = p.id order by accepted_at desc, call_id desc limit 2000) k
         where k.requested_at > :minuteAgo) end as "dialledInLastMinute"
     from campaigns p
     cross join lateral (
       select count(*) filter (where stage in ('claimed', 'waiting')) as waiting,
         count(*) filter (where stage in ('granted', 'requested', 'placed')) as live
       from calls where campaign_id = p.id and stage <> 'over'
     ) open
     where p.id = any(:campaignIds)`,
    { campaignIds: [...campaignIds], now: timestamp(now), minuteAgo: timestamp(now - MINUTE_MS) },
  );
}

/** Returns up to 100 open campaigns of each organization, newest first. */
export async function openCampaigns(
  db: Db,
  organizationIds: readonly string[],
): Promise<{ id: string; organizationId: string }[]> {
  return rows<{ id: string; organizationId: string }>(
    db,
    `select o.id, c.id as "organizationId" from unnest(:organizationIds::uuid[]) c (id)
     cross join lateral (
       select id from campaigns where organization_id = c.id and ended_at is null order by created_at desc, id desc limit :max) o`,
    { organizationIds: [...organizationIds], max: MAX_OF_ORGANIZATION },
  );
}

/** Counts finished calls by final status. Reads all calls of the campaign, from an index. */
export async function outcomesOf(
  db: Db,
  campaignId: string,
): Promise<Partial<Record<FinalCallStatus, number>>> {
  const found = await rows<{ status: FinalCallStatus; calls: number }>(
    db,
    `select final_status as status, count(*) as calls from all_calls k
     where campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and final_status is not null group by final_status order by final_status`,
    { campaignId },
  );
  return Object.fromEntries(found.map(({ status, calls }) => [status, calls]));
}
