/**
 * Queries for overdue work. They return only rows that should have changed by now, so a pass is cheap even with many calls. Calls are read
 * as one page, oldest first, because checked calls drop out. Campaigns and organizations are paged by id.
 */
import { SNAPSHOT, type CampaignSnapshot } from '../campaigns/snapshot';
import type { FinalCallStatus } from '../../domain/call-outcome';
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

const PAGE = 200;

const ids = async (found: Promise<{ id: string }[]>): Promise<string[]> => (await found).map(({ id }) => id);

/** Returns calls that have a line but neither dial nor wait for an agent, because the signal was lost or the workflow is gone. */
export function unusedLines(
  db: Db,
  { before, now }: { before: number; now: number },
): Promise<{ callId: string; grantedAt: Date }[]> {
  return rows(
    db,
    `select call_id as "callId", granted_at as "grantedAt" from calls where stage = 'granted' and granted_at < :before
       and (preparing_until is null or preparing_until < :now)
     order by granted_at limit ${PAGE}`,
    { before: timestamp(before), now: timestamp(now) },
  );
}

/** Returns calls that should be over by now. */
export function lateCalls(db: Db, now: number): Promise<string[]> {
  return ids(
    rows(
      db,
      `select call_id as id from calls where stage = 'placed' and deadline_at < :now and line_kept_until is null
       order by deadline_at limit ${PAGE}`,
      { now: timestamp(now) },
    ),
  );
}

export interface SilentCall {
  callId: string;
  /** The carrier hasn't accepted or rejected the call yet. */
  isRequested: boolean;
  /** For an inbound call, when it was accepted. */
  requestedAt: Date;
}

/**
 * Returns calls at the carrier without any report since `before`, and calls that the carrier can no longer place but whose dial has no
 * result. Leaves out orphaned calls, which don't report (see `orphanedCalls`).
 */
export function silentCalls(db: Db, { before, now }: { before: number; now: number }): Promise<SilentCall[]> {
  return rows(
    db,
    `select call_id as "callId", stage = 'requested' as "isRequested", coalesce(requested_at, accepted_at) as "requestedAt" from calls
     where stage in ('requested', 'placed') and line_kept_until is null
       and (coalesce(reported_at, requested_at) < :before or (stage = 'requested' and pending_until < :now and reported_at is null))
     order by coalesce(reported_at, requested_at) limit ${PAGE}`,
    { before: timestamp(before), now: timestamp(now) },
  );
}

/**
 * Postpones the next check of these calls, so that the next pass checks others first. Locks them in the order of their ids, as events do.
 */
export async function markChecked(db: Db, callIds: string[], now: number): Promise<void> {
  await rows(
    db,
    `with locked as (select call_id from calls where call_id = any(:callIds) order by call_id for no key update)
     update calls set reported_at = :now where call_id in (select call_id from locked)`,
    {
      callIds,
      now: timestamp(now),
    },
  );
}

export interface UnstartedDispatch {
  callId: string;
  organizationId: string;
  agentId: string;
  /** When the call was accepted. For a callback, when it is due. */
  dueAt: Date;
  /** Deadline of a callback. Null for other calls. */
  dialUntil: Date | null;
}

/** Returns dispatched calls that never queued for a line. Their workflow may not have been started. */
export function unstartedDispatches(db: Db, before: number): Promise<UnstartedDispatch[]> {
  return rows(
    db,
    `select call_id as "callId", organization_id as "organizationId", agent_id as "agentId", coalesce(not_before, accepted_at) as "dueAt",
       dial_until as "dialUntil" from calls
     where stage = 'claimed' and campaign_id is null and coalesce(not_before, accepted_at) < :before
     order by coalesce(not_before, accepted_at) limit ${PAGE}`,
    { before: timestamp(before) },
  );
}

/** Returns calls that have waited long for a line. Their workflow may be gone. */
export function longWaiting(db: Db, before: number): Promise<LongWait[]> {
  return rows(
    db,
    `select call_id as "callId", campaign_id is null as "isDispatched", waiting_since as "since" from calls
     where stage = 'waiting' and coalesce(reported_at, waiting_since) < :before
     order by coalesce(reported_at, waiting_since) limit ${PAGE}`,
    { before: timestamp(before) },
  );
}

interface LongWait {
  callId: string;
  /** The workflow of a dispatch limits the wait. A campaign's call waits as long as its campaign runs. */
  isDispatched: boolean;
  since: Date;
}

export interface UnconcludedCall {
  callId: string;
  callStatus: FinalCallStatus;
  endedAt: Date;
  /** A language model is analysing the call, so its workflow knows that the call is over. */
  isAsked: boolean;
}

/**
 * Returns calls that are over but not processed, because the signal was lost or the workflow is gone. Leaves out calls under analysis until
 * they are due.
 */
export function unconcludedCalls(db: Db, before: number, now: number): Promise<UnconcludedCall[]> {
  return rows(
    db,
    `select k.call_id as "callId", k.call_status as "callStatus", k.ended_at as "endedAt", m.call_id is not null as "isAsked"
     from calls k left join call_analyses m on m.call_id = k.call_id
     where k.stage = 'over' and k.concluded_at is null and k.reported_at < :before and (m.check_at is null or m.check_at < :now)
     order by k.reported_at, k.call_id limit ${PAGE}`,
    { before: timestamp(before), now: timestamp(now) },
  );
}

/** SQL condition: the waiting call `k` has a number with which the organization has no live call. */
export const NUMBER_IS_FREE =
  '(select l.call_id from lines l where l.organization_id = k.organization_id and l.number = k.to_number) is null';

/**
 * Returns organizations with a free line and a call that grant_lines would give it to, because a grant was missed or a maximum was raised.
 * The page starts after the organization `after`.
 */
export function organizationsWithIdleLines(db: Db, now: number, after: string | null): Promise<string[]> {
  return ids(
    rows(
      db,
      `select o.id from organizations o
       where (:after::uuid is null or o.id > :after::uuid)
         and exists (select 1 from calls k where k.organization_id = o.id and k.stage = 'waiting')
         and (select count(*) from lines l where l.organization_id = o.id) < o.max_concurrency
         and (exists (select 1 from calls k where k.organization_id = o.id and k.campaign_id is null and k.stage = 'waiting' and ${NUMBER_IS_FREE})
           or exists (
             select 1 from campaigns c
             where c.organization_id = o.id and c.status = 'active' and c.dialing_until > :now
               and exists (
                 select 1 from calls k where k.organization_id = o.id and k.campaign_id = c.id and k.stage = 'waiting' and ${NUMBER_IS_FREE})
               and (select count(*) from lines l where l.campaign_id = c.id) < c.concurrency))
       order by o.id limit ${PAGE}`,
      { now: timestamp(now), after },
    ),
  );
}

export interface SuspectCampaign extends CampaignSnapshot {
  campaignId: string;
  organizationId: string;
  agentId: string;
}

/**
 * Returns open campaigns whose workflow may not be running, because it ignored a wake-up or didn't survey the campaign before `check_at`.
 * The page starts after the campaign `after`.
 */
export function suspectCampaigns(
  db: Db,
  { now, requestedBefore, after }: { now: number; requestedBefore: number; after: string | null },
): Promise<SuspectCampaign[]> {
  return rows(
    db,
    `select c.id as "campaignId", c.organization_id as "organizationId", c.agent_id as "agentId", ${SNAPSHOT} from campaigns c
     where ended_at is null and (:after::uuid is null or id > :after::uuid) and (check_at < :now or refill_requested_at < :requestedBefore)
     order by id limit ${PAGE}`,
    { now: timestamp(now), requestedBefore: timestamp(requestedBefore), after },
  );
}

/**
 * Postpones the next check of campaigns. A campaign at rest gets a longer delay, because it can sleep for days. Skips locked rows until the
 * next pass, because a transaction that grants lines locks several campaigns in another order.
 */
export async function recheckCampaigns(
  db: Db,
  campaignIds: readonly string[],
  { at, restingAt }: { at: number; restingAt: number },
): Promise<void> {
  await rows(
    db,
    `update campaigns set check_at = case when status in ('scheduled', 'paused', 'paused_out_of_range')
         then :restingAt::timestamptz else :at::timestamptz end
     where id in (select id from campaigns where id = any(:ids) for no key update skip locked)`,
    { ids: [...campaignIds], at: timestamp(at), restingAt: timestamp(restingAt) },
  );
}

/** Returns campaigns that missed a wake-up for a refill or a changed status. The page starts after the campaign `after`. */
export function unansweredRefills(db: Db, before: number, after: string | null): Promise<string[]> {
  return ids(
    rows(
      db,
      `select id from campaigns where ended_at is null and (:after::uuid is null or id > :after::uuid) and (refill_requested_at < :before
         or (completed_contacts + failed_contacts = total_contacts and updated_at < :before)
         -- Calls that were at the carrier when the campaign was cancelled, and were not placed.
         or (status = 'cancelled' and updated_at < :before
             and exists (select 1 from calls k where k.campaign_id = campaigns.id and k.stage in ('claimed', 'waiting', 'granted'))))
       order by id limit ${PAGE}`,
      { before: timestamp(before), after },
    ),
  );
}

interface OverdueDelivery {
  deliveryId: string;
  organizationId: string;
  campaignId: string | null;
  callId: string | null;
}

/** Returns deliveries whose next attempt is overdue, because their workflow is gone. */
export function overdueDeliveries(db: Db, before: number): Promise<OverdueDelivery[]> {
  return rows(
    db,
    `select id as "deliveryId", organization_id as "organizationId", campaign_id as "campaignId", call_id as "callId"
     from webhook_deliveries
     where status = 'pending' and next_attempt_at < :before order by next_attempt_at limit ${PAGE}`,
    { before: timestamp(before) },
  );
}

/** A call or room that exists at the carrier. */
export interface Held {
  carrierId: string;
  /** Our call id. Null if the carrier doesn't know it. The call is then matched by `carrierId`. */
  reference: string | null;
  /** The carrier marks it as ours. */
  isMarked: boolean;
}

/**
 * Returns the carrier's calls and rooms that belong to calls that ended before the instant. Also returns those of unknown calls if they are
 * marked as ours.
 */
export async function leftoverCalls(db: Db, held: readonly Held[], endedBefore: number): Promise<string[]> {
  return ids(
    rows(
      db,
      `select h."carrierId" as id from jsonb_to_recordset(:held) as h("carrierId" text, reference text, "isMarked" boolean)
       left join calls k on k.call_id = h.reference
       left join calls c on h.reference is null and c.carrier_id = h."carrierId" and c.direction = 'Incoming' and c.medium = 'telephony'
       where (k.call_id is null and c.call_id is null and h."isMarked")
         or (coalesce(k.stage, c.stage) = 'over' and greatest(coalesce(k.ended_at, c.ended_at), coalesce(k.reported_at, c.reported_at)) < :before)
       order by h."carrierId" limit ${PAGE}`,
      { held: JSON.stringify(held), before: timestamp(endedBefore) },
    ),
  );
}
