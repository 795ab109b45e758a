import { randomUUID } from 'node:crypto';
import { DIALLING_STATUSES, type AnnouncedStatus, type CampaignStatus } from '../../domain/campaign-status';
import type { EventDraft } from '../../domain/webhook-events';
import { recordAudit, type Actor, type AuditAction } from '../clients/audit';
import { forgetDials } from './brakes';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { timedId } from '../kernel/timed-id';

export interface CampaignStanding {
  id: string;
  clientId: string;
  agentId: string;
  campaignName: string;
  status: CampaignStatus;
  announcedStatus: AnnouncedStatus;
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
  /** Where given, another client's campaign is unknown. */
  clientId?: string;
  to: CampaignStatus;
  /** The statuses that the change is allowed from. From any other it is refused, from `to` itself it is unchanged. */
  from: readonly CampaignStatus[];
  now: number;
  reason?: string;
  /** Part of a pause or a resume of all campaigns: the pause marks the campaign, the resume is refused where the mark is gone. */
  withAll?: boolean;
  /** Called inside the transaction with the campaign as it was; announces nothing when it answers none. */
  events: (before: CampaignStanding) => EventDraft[];
  /** Whether webhooks name the new status, so that it becomes the next `old_status`. */
  announced: boolean;
  /** On whose behalf, recorded with the change. Absent where the engine itself makes it, or where it is part of a recorded change. */
  by?: { actor: Actor; action: AuditAction };
}

export type StatusChangeResult =
  | { kind: 'changed'; campaign: CampaignStanding; deliveryIds: string[] }
  | { kind: 'unchanged'; campaign: CampaignStanding }
  | { kind: 'refused'; campaign: CampaignStanding }
  | { kind: 'unknown' };

const STANDING = `select id, client_id as "clientId", agent_id as "agentId", campaign_name as "campaignName", status,
  announced_status as "announcedStatus", webhook_url as "webhookUrl",
  paused_with_all as "pausedWithAll", total_contacts as total,
  completed_contacts as completed, in_progress_contacts as "inProgress", failed_contacts as failed,
  created_at as "createdAt", updated_at as "updatedAt", ended_at as "endedAt"
  from campaigns`;

/** Under a lock that the engine's transactions also take: what is read stays true until the transaction ends. */
export function lockCampaign(trx: Db, campaignId: string): Promise<CampaignStanding | undefined> {
  return firstRow<CampaignStanding>(trx, `${STANDING} where id = :campaignId for no key update`, {
    campaignId,
  });
}

/**
 * One transaction: the new status, the webhook deliveries that announce it, and the mark that the campaign's workflow has yet to acknowledge
 * of it. The caller then starts a delivery workflow for each delivery id and signals the campaign; reconciliation does both where the
 * caller dies.
 */
export function changeCampaignStatus(db: Db, change: StatusChange): Promise<StatusChangeResult> {
  return db.transaction(async (trx) => {
    // Before the campaign's lock, as everywhere.
    if (change.to === 'active') await lockClientOf(trx, change.campaignId);
    const before = await lockCampaign(trx, change.campaignId);
    if (before === undefined || (change.clientId !== undefined && before.clientId !== change.clientId)) {
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
         updated_at = :now, refill_asked_at = :now,
         announced_status = case when :announced then :to else announced_status end,
         -- Whoever resumes it knows of the failures so far.
         recent_dials = case when :to = 'active' then '' else recent_dials end
       where id = :campaignId`,
      {
        to: change.to,
        reason: change.reason ?? null,
        withAll: change.withAll ?? false,
        now: timestamp(change.now),
        announced: change.announced,
        campaignId: change.campaignId,
      },
    );
    // Or the same dials would pause it again at once, and the client's other campaigns with it.
    if (change.to === 'active') await forgetDials(trx, before.clientId);
    await recordChange(trx, before, change);
    const deliveryIds = await insertCampaignEvents(trx, before, change.events(before), change.now);
    return {
      kind: 'changed',
      campaign: { ...before, status: change.to, updatedAt: new Date(change.now) },
      deliveryIds,
    };
  });
}

/** Paused with all, and now by itself too: a resume of all leaves it paused. */
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
  await recordAudit(trx, { ...by, clientId: campaign.clientId, subjectId: campaign.id, now });
}

/** The ids of a client's campaigns that dial, or would by themselves; those that dial now come first. */
export const campaignsToPause = (db: Db, clientId: string): Promise<string[]> =>
  idsOf(
    db,
    `select id from campaigns where client_id = :clientId and status = any(:dialling)
     order by status <> 'active', created_at, id`,
    { clientId, dialling: [...DIALLING_STATUSES] },
  );

/** The ids of those that a pause of all paused, unless somebody has paused, resumed or changed them since. */
export const campaignsPausedWithAll = (db: Db, clientId: string): Promise<string[]> =>
  idsOf(
    db,
    `select id from campaigns where client_id = :clientId and status = 'paused' and paused_with_all order by created_at, id`,
    { clientId },
  );

async function idsOf(db: Db, statement: string, bindings: Parameters<typeof rows>[2]): Promise<string[]> {
  return (await rows<{ id: string }>(db, statement, bindings)).map(({ id }) => id);
}

function lockClientOf(trx: Db, campaignId: string): Promise<unknown> {
  return rows(
    trx,
    'select 1 from clients where id = (select client_id from campaigns where id = :campaignId) for no key update',
    { campaignId },
  );
}

/** Writes the events down as pending deliveries; none where the campaign has no webhook. */
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
      client_id: campaign.clientId,
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
