/** Campaigns of all organizations, for operators. Read-only, unlike the survey of a campaign's workflow. */
import type { CallStatus } from '../../domain/call-outcome';
import type { CampaignStatus } from '../../domain/campaign-status';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { snapshotColumns, type CampaignSnapshot } from './snapshot';

export interface CampaignSummary {
  id: string;
  organizationId: string;
  organizationName: string;
  campaignName: string;
  status: CampaignStatus;
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
  createdAt: Date;
}

export interface CampaignOverview extends CampaignSummary, CampaignSnapshot {
  statusReason: string | null;
  agentName: string;
  /** Name of the campaign's own rule profile. */
  ruleProfile: string | null;
  maxAttempts: number;
  retryDelayMins: number;
  concurrency: number;
  updatedAt: Date;
  endedAt: Date | null;
  /** Some contacts have no call yet. `nextDueAt` is when the next redial is due. */
  contactsLeft: boolean;
  nextDueAt: Date | null;
  /** Calls without a line. `liveCalls` counts those with one. */
  waitingCalls: number;
  liveCalls: number;
}

export interface LiveCall {
  callId: string;
  callStatus: CallStatus;
  attempt: number | null;
  grantedAt: Date | null;
  answeredAt: Date | null;
}

const SUMMARY = `p.id, p.organization_id as "organizationId", c.name as "organizationName", p.campaign_name as "campaignName", p.status,
  p.total_contacts as total, p.completed_contacts as completed, p.in_progress_contacts as "inProgress",
  p.failed_contacts as failed, p.created_at as "createdAt"`;

/** Returns campaigns, newest first. A null filter selects all. */
export function listCampaignSummaries(
  db: Db,
  filter: { organizationId: string | null; status: string | null },
  limit: number,
): Promise<CampaignSummary[]> {
  return rows<CampaignSummary>(
    db,
    `select ${SUMMARY} from campaigns p join organizations c on c.id = p.organization_id
     where (:organizationId::uuid is null or p.organization_id = :organizationId::uuid) and (:status::text is null or p.status = :status::text)
     order by p.created_at desc, p.id desc limit :limit`,
    { ...filter, limit },
  );
}

export function findCampaignOverview(
  db: Db,
  campaignId: string,
  now: number,
): Promise<CampaignOverview | undefined> {
  return firstRow<CampaignOverview>(
    db,
    `select ${SUMMARY}, p.status_reason as "statusReason", a.display_name as "agentName", ${snapshotColumns('p')},
       p.rule_profile as "ruleProfile",
       p.max_attempts as "maxAttempts", p.retry_delay_mins as "retryDelayMins", p.concurrency,
       p.updated_at as "updatedAt", p.ended_at as "endedAt",
       has_contacts_left(p.id) as "contactsLeft",
       next_due_at(p, :now) as "nextDueAt",
       (select count(*) from calls where campaign_id = p.id and stage in ('claimed', 'waiting')) as "waitingCalls",
       (select count(*) from calls where campaign_id = p.id and stage in ('granted', 'requested', 'placed')) as "liveCalls"
     from campaigns p join organizations c on c.id = p.organization_id join agents a on a.id = p.agent_id
     where p.id = :campaignId`,
    { campaignId, now: timestamp(now) },
  );
}

/** Returns live calls, longest first. */
export function listLiveCalls(db: Db, campaignId: string, limit: number): Promise<LiveCall[]> {
  return rows<LiveCall>(
    db,
    `select call_id as "callId", call_status as "callStatus", attempt, granted_at as "grantedAt", answered_at as "answeredAt"
     from calls where campaign_id = :campaignId and stage in ('granted', 'requested', 'placed')
     order by granted_at, call_id limit :limit`,
    { campaignId, limit },
  );
}
