/**
 * The steps of a call that decide who may dial. The transactions themselves are in `functions/`, each in the file of its name.
 */
import type { Brake } from '../../domain/brakes';
import type { CallMedium } from '../../domain/call-kind';
import type { AnsweredBy, FinalCallStatus, ProgressStatus } from '../../domain/call-outcome';
import type { CallStage } from '../../domain/call-stage';
import { lockSnapshot, type StepGuard } from '../campaigns/snapshot';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, prepared, rows, timestamp } from '../kernel/query';

/** What a transaction on the lines decided, for the workflows that must be signalled. */
export interface LineDecision {
  /** Calls that were given a line. */
  granted: string[];
  /** The campaign that should be woken to claim more. */
  refillCampaignId: string | null;
}

export interface ClaimedCall {
  callId: string;
  /** Null for a callback, which is not counted. */
  attempt: number | null;
  maxAttempts: number;
}

/** The HTTP carrier is one trunk, whatever is behind it, and so is LiveKit's SIP bridge. */
export const ONLY_TRUNK = 'carrier';

/** How far apart its dials are; null for no limit, which is 0 calls a second. */
export const dialEveryMs = (callsPerSecond: number): number | null =>
  callsPerSecond === 0 ? null : 1_000 / callsPerSecond;

/** What is looked at before a dial; what is absent is not. */
export interface DialGuards {
  /** The trunk whose pace is kept. */
  trunk: string;
  /** Milliseconds between two calls of the trunk, over all workers. Null for no limit. */
  dialEveryMs: number | null;
  brakes: BrakeLimits;
  /** Answers of the registry from before this instant are too old. Null where there is no registry. */
  registryNotBefore: string | null;
  /** The registry was asked a moment ago. */
  registryCleared?: boolean;
  /** For how long the request may come to a call without a sign of it, by our clock. */
  settlesMs: number;
}

/** Those of a client go before these. 0 or null is none. */
export interface BrakeLimits {
  /** Credits a UTC day. */
  campaignSpendPerDay: number | null;
  clientSpendPerDay: number | null;
  /** The share, above 0 to 1, of the latest `failureDials` dials that the carrier failed. */
  failureRate: number | null;
  failureDials: number;
}

export type DialStart =
  | { kind: 'unknown' }
  | { kind: 'over'; callStatus: FinalCallStatus }
  | { kind: 'placed'; carrierId: string | null }
  /** An earlier run may have asked the carrier: look the call up. */
  | { kind: 'asked'; notAfter: string; askedAt: string }
  /** It holds no line (any more). */
  | { kind: 'waiting' }
  /** It holds a line that it may not use now: its campaign is not dialling. */
  | { kind: 'refused' }
  /** The callback of a dispatched call, whose window has closed: no line will ever do. */
  | { kind: 'tooLate' }
  /** A dispatch or a callback of one, whose client has spent its credits of the day. */
  | { kind: 'overspent' }
  /** A person hung up while the carrier was asked, and the carrier did not place it. */
  | { kind: 'hungUp' }
  /** Its campaign has spent its day's credits, or the carrier fails too many of its dials. */
  | { kind: 'braked'; clientId: string; campaignId: string; brake: Brake }
  /** On a do-not-disturb list. */
  | { kind: 'dnd' }
  /** The registry is to be asked first. */
  | { kind: 'askRegistry'; to: string }
  /** Its turn on the trunk comes later. */
  | { kind: 'paced'; waitMs: number }
  | DialIntent;

/** The intent is written: the carrier may be asked, or the session be opened. */
export type DialIntent = {
  kind: 'ask';
  /** At most the one that was asked for: the window may close before. */
  notAfter: string;
  from: string | null;
  name: string | null;
  attempt: number;
  variables: Record<string, unknown>;
  modifyAgent: Record<string, unknown> | null;
  agentName: string;
  config: unknown;
} & ({ medium: 'telephony'; to: string } | { medium: 'webrtc'; to: null });

export interface ClaimedPage {
  claimed: ClaimedCall[];
  /** Calls, of any campaign of the client, that were given a line. */
  granted: string[];
  /** Not enough calls are ready ahead of the lines yet. */
  more: boolean;
}

export interface PageRequest {
  now: number;
  dialUntil: number;
  limit: number;
  /** A claim that is late must not open a window that was closed meanwhile. */
  isStillDue: StepGuard;
}

/** Takes due contacts and creates their call attempts. Run again, it answers those of the first run too, until they are registered. */
export function claimPage(
  db: Db,
  campaignId: string,
  { now, dialUntil, limit, isStillDue }: PageRequest,
): Promise<ClaimedPage> {
  return db.transaction(async (trx) => {
    const snapshot = await lockSnapshot(trx, campaignId);
    if (snapshot === undefined || !isStillDue(snapshot)) return { claimed: [], granted: [], more: false };
    const { page } = await onlyRow<{ page: ClaimedPage }>(
      trx,
      'select claim_page(:campaignId, :now, :dialUntil, :limit) as page',
      { campaignId, now: timestamp(now), dialUntil: timestamp(dialUntil), limit },
    );
    return page;
  });
}

/** Queues calls for a line; those that get one at once are in the answer. */
export async function registerWaiting(
  db: Db,
  clientId: string,
  callIds: string[],
  now: number,
): Promise<LineDecision> {
  const { decision } = await onlyRow<{ decision: { granted: string[] } }>(
    db,
    'select register_waiting(:clientId, :callIds, :now) as decision',
    { clientId, callIds, now: timestamp(now) },
  );
  return { granted: decision.granted, refillCampaignId: null };
}

/** Of these calls those that are over. */
export function endedAmong(
  db: Db,
  callIds: string[],
): Promise<{ callId: string; callStatus: FinalCallStatus }[]> {
  return rows(
    db,
    `select call_id as "callId", call_status as "callStatus" from calls where call_id = any(:callIds) and stage = 'over'`,
    { callIds },
  );
}

export async function startDial(
  db: Db,
  callId: string,
  { now, notAfter, guards }: { now: number; notAfter: number; guards: DialGuards },
): Promise<DialStart> {
  const { start } = await onlyRow<{ start: DialStart }>(
    db,
    'select start_dial(:callId, :now, :notAfter, :guards) as start',
    { callId, now: timestamp(now), notAfter: timestamp(notAfter), guards: JSON.stringify(guards) },
  );
  return start;
}

/** When a call could have been dialled, and when it was. */
export interface DialTimes {
  /** Null, with its instant, for the first dial of a contact: that waits for its turn. */
  dueAs: 'dispatch' | 'redial' | 'callback' | null;
  dueAt: Date | null;
  lineGrantedAt: Date | null;
  askedAt: Date | null;
}

const RECORD_PLACED = prepared(
  'record_placed',
  `update calls k set carrier_id = :carrierId, from_number = coalesce(from_number, :from), reported_at = :now,
       stage = case when stage = 'asking' then 'placed' else stage end
     where call_id = :callId
     returning granted_at as "lineGrantedAt", asked_at as "askedAt",
       case when callback_of is not null then 'callback' when campaign_id is null then 'dispatch' when attempt > 1 then 'redial' end as "dueAs",
       case when callback_of is not null then (select o.callback_at from calls o where o.call_id = k.callback_of)
            when campaign_id is null then accepted_at
            when attempt > 1 then (select p.next_attempt_at from calls p where p.contact_id = k.contact_id and p.attempt = k.attempt - 1)
       end as "dueAt"`,
);

/**
 * The carrier has the call. Without effect on a call that is over, which a fast carrier may have reported before its answer. Returns what
 * is measured of the dial.
 */
export function recordPlaced(
  db: Db,
  callId: string,
  carrier: { carrierId: string; from: string | null },
  now: number,
): Promise<DialTimes | undefined> {
  return firstRow<DialTimes>(db, RECORD_PLACED, { callId, ...carrier, now: timestamp(now) });
}

/**
 * The carrier has certainly not placed the call of this intent, so it may be asked again. The call keeps its line. Without effect on a
 * later intent: the answer to an earlier request must not undo it.
 */
export async function recordNotPlaced(db: Db, callId: string, notAfter: number): Promise<void> {
  await rows(
    db,
    `update calls set stage = 'granted', not_after = null
     where call_id = :callId and stage = 'asking' and not_after = :notAfter`,
    { callId, notAfter: timestamp(notAfter) },
  );
}

/** Gives up a line that may not be used now; the call waits again. */
export async function returnLine(db: Db, callId: string, now: number): Promise<LineDecision> {
  const { decision } = await onlyRow<{ decision: FreedLine }>(
    db,
    'select return_line(:callId, :now) as decision',
    { callId, now: timestamp(now) },
  );
  return lineDecision(decision);
}

interface FreedLine {
  granted: string[];
  refill: boolean;
  campaignId: string | null;
}

const lineDecision = ({ granted, refill, campaignId }: FreedLine): LineDecision => ({
  granted,
  refillCampaignId: refill ? campaignId : null,
});

export type CallState = StoredCall & CallStanding;

/** Its status is final once it is over, and only then. */
type CallStanding =
  | { stage: Exclude<CallStage, 'over'>; callStatus: ProgressStatus }
  | { stage: 'over'; callStatus: FinalCallStatus };

interface StoredCall {
  callId: string;
  clientId: string;
  campaignId: string | null;
  medium: CallMedium;
  carrierId: string | null;
  notAfter: Date | null;
  ringingAt: Date | null;
  answeredAt: Date | null;
  answeredBy: AnsweredBy | null;
  /** A person wants its end. */
  isHangUpAsked: boolean;
  /** Its phone was lost: its line is kept for a while. */
  isStranded: boolean;
}

export function callState(db: Db, callId: string): Promise<CallState | undefined> {
  return firstRow<CallState>(
    db,
    `select call_id as "callId", client_id as "clientId", campaign_id as "campaignId", medium, stage, call_status as "callStatus",
            carrier_id as "carrierId", not_after as "notAfter", ringing_at as "ringingAt", answered_at as "answeredAt", answered_by as "answeredBy",
            hang_up_asked_at is not null as "isHangUpAsked", line_kept_until is not null as "isStranded"
     from calls where call_id = :callId`,
    { callId },
  );
}
