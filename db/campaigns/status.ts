import { randomUUID } from 'node:crypto';
import { DIALLING_STATUSES, type ReportedStatus, type CampaignStatus } from '../../domain/campaign-status';
import type { EventDraft } from '../../domain/webhook-events';
import { recordAudit, type Actor, type AuditAction } from '../organizations/audit';
import { forgetDials } from './breakers';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { timedId } from '../kernel/timed-id';

export interface CampaignStanding {
  id: string;
  organizationId: string;
  agentId: string;
  campaignName: string;
  status: CampaignStatus;
  reportedStatus: ReportedStatus;
  webhookUrl: string | null;
  pausedWithAll: boolean;
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
  createdAt: Date;
  updatedAt: Date;
  endedAt: Date | null;
}

export interface StatusChange {
  campaignId: string;
  /** If set, the campaign must belong to this organization. */
  organizationId?: string;
  to: CampaignStatus;
  /**
   * Statuses that allow the change. In any other status the change is rejected, except that a campaign already in status `to` stays
   * unchanged.
   */
  from: readonly CampaignStatus[];
  now: number;
  reason?: string;
  /**
   * The change is part of a pause or resume of all campaigns. A pause marks the campaign, and a resume skips campaigns without this mark.
   * Default: false.
   */
  withAll?: boolean;
  /** Returns the webhook events of the change. Runs inside the transaction, with the campaign from before the change. */
  events: (before: CampaignStanding) => EventDraft[];
  /** Webhooks report the new status, which is then the `old_status` of the next report. */
  reported: boolean;
  /** Actor for the audit log. Omit it for automatic changes, and for changes that another audit entry already covers. */
  by?: { actor: Actor; action: AuditAction };
}

export type StatusChangeResult =
  | { kind: 'changed'; campaign: CampaignStanding; deliveryIds: string[] }
  | { kind: 'unchanged'; campaign: CampaignStanding }
  | { kind: 'refused'; campaign: CampaignStanding }
  | { kind: 'unknown' };

const STANDING = `select id, organization_id as "organizationId", agent_id as "agentId", campaign_name as "campaignName", status,
  reported_status as "reportedStatus", webhook_url as "webhookUrl",
  paused_with_all as "pausedWithAll", total_contacts as total,
  completed_contacts as completed, in_progress_contacts as "inProgress", failed_contacts as failed,
  created_at as "createdAt", updated_at as "updatedAt", ended_at as "endedAt"
  from campaigns`;

/** Reads and locks the campaign, as the engine's transactions do, so that it can't change until the transaction ends. */
export function lockCampaign(trx: Db, campaignId: string): Promise<CampaignStanding | undefined> {
  return firstRow<CampaignStanding>(trx, `${STANDING} where id = :campaignId for no key update`, {
    campaignId,
  });
}

/**
 * In one transaction, writes the new status, its webhook deliveries and the request to wake the workflow. Afterwards, start a workflow per
 * delivery and signal the campaign. If the process dies before that, reconciliation does both.
 */
export function changeCampaignStatus(db: Db, change: StatusChange): Promise<StatusChangeResult> {
  return db.transaction(async (trx) => {
    // Lock order: organization, then campaign.
    if (change.to === 'active') await lockOrganizationOf(trx, change.campaignId);
    const before = await lockCampaign(trx, change.campaignId);
    if (
      before === undefined ||
      (change.organizationId !== undefined && before.organizationId !== change.organizationId)
    ) {
      return { kind: 'unknown' };
    }
    if (before.status === change.to) {
      if (before.pausedWithAll && change.withAll !== true) await keepPaused(trx, before, change);
      return { kind: 'unchanged', campaign: before };
    }
    const isMissed = change.to === 'active' && change.withAll === true && !before.pausedWithAll;
    if (isMissed || !change.from.includes(before.status)) return { kind: 'refused', campaign: before };
    await rows(
      trx,
      `update campaigns set status = :to, status_reason = :reason, paused_with_all = :to = 'paused' and :withAll,
         updated_at = :now, refill_requested_at = :now,
         reported_status = case when :reported then :to else reported_status end,
         -- A resume resets the circuit breaker.
         recent_dials = case when :to = 'active' then '' else recent_dials end
       where id = :campaignId`,
      {
        to: change.to,
        reason: change.reason ?? null,
        withAll: change.withAll ?? false,
        now: timestamp(change.now),
        reported: change.reported,
        campaignId: change.campaignId,
      },
    );
    // The counted failures would immediately pause this campaign and the organization's others again.
    if (change.to === 'active') await forgetDials(trx, before.organizationId);
    await recordChange(trx, before, change);
    const deliveryIds = await insertCampaignEvents(trx, before, change.events(before), change.now);
    return {
      kind: 'changed',
      campaign: { ...before, status: change.to, updatedAt: new Date(change.now) },
      deliveryIds,
    };
  });
}

/** A campaign that is paused again on its own must stay paused when all campaigns are resumed. */
async function keepPaused(trx: Db, campaign: CampaignStanding, change: StatusChange): Promise<void> {
  await rows(
    trx,
    `update campaigns set paused_with_all = false, status_reason = coalesce(:reason, status_reason) where id = :campaignId`,
    { campaignId: campaign.id, reason: change.reason ?? null },
  );
  await recordChange(trx, campaign, change);
}

async function recordChange(trx: Db, campaign: CampaignStanding, { by, now }: StatusChange): Promise<void> {
  if (by === undefined) return;
  await recordAudit(trx, { ...by, organizationId: campaign.organizationId, subjectId: campaign.id, now });
}

/** Returns the ids of an organization's campaigns that dial now or will dial. Campaigns that dial now come first. */
export const campaignsToPause = (db: Db, organizationId: string): Promise<string[]> =>
  idsOf(
    db,
    `select id from campaigns where organization_id = :organizationId and status = any(:dialling)
     order by status <> 'active', created_at, id`,
    { organizationId, dialling: [...DIALLING_STATUSES] },
  );

/**
 * Returns the ids of campaigns that were paused together with all others and haven't been paused, resumed or changed on their own since.
 */
export const campaignsPausedWithAll = (db: Db, organizationId: string): Promise<string[]> =>
  idsOf(
    db,
    `select id from campaigns where organization_id = :organizationId and status = 'paused' and paused_with_all order by created_at, id`,
    { organizationId },
  );

async function idsOf(db: Db, statement: string, bindings: Parameters<typeof rows>[2]): Promise<string[]> {
  return (await rows<{ id: string }>(db, statement, bindings)).map(({ id }) => id);
}

function lockOrganizationOf(trx: Db, campaignId: string): Promise<unknown> {
  return rows(
    trx,
    'select 1 from organizations where id = (select organization_id from campaigns where id = :campaignId) for no key update',
    { campaignId },
  );
}

/** Stores the events as pending deliveries and returns their ids. Stores none if the campaign has no webhook. */
export async function insertCampaignEvents(
  trx: Db,
  campaign: CampaignStanding,
  drafts: EventDraft[],
  now: number,
): Promise<string[]> {
  if (campaign.webhookUrl === null || drafts.length === 0) return [];
  const deliveries = drafts.map(({ event, payload }) => {
    const eventId = randomUUID();
    return {
      id: timedId(now),
      event_id: eventId,
      organization_id: campaign.organizationId,
      campaign_id: campaign.id,
      event,
      url: campaign.webhookUrl,
      body: JSON.stringify({ event, event_id: eventId, ...payload }),
      created_at: timestamp(now),
      next_attempt_at: timestamp(now),
    };
  });
  await trx('webhook_deliveries').insert(deliveries);
  return deliveries.map(({ id }) => id);
}
