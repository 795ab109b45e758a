/** The steps of a call up to its dial. The transactions are in `db/functions/`. */
import type { Breaker } from '../../domain/breakers';
import type { CallMedium, CallStage } from '../../domain/call';
import type { StoredRules } from '../../domain/rules/stored-rules';
import type {
  AnsweredBy,
  FinalCallStatus,
  FinalContactState,
  ProgressStatus,
} from '../../domain/call-outcome';
import { lockSnapshot, type CampaignSnapshot } from '../campaigns/snapshot';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, prepared, rows, timestamp } from '../kernel/query';

/** Result of a transaction that grants or releases lines. Signal the workflows of these calls and campaigns afterwards. */
export interface LineDecision {
  /** Calls that got a line. */
  granted: string[];
  /** Campaign to wake so that it claims more contacts. Null if there is none. */
  refillCampaignId: string | null;
}

export interface ClaimedCall {
  callId: string;
  /** Null for a callback, which doesn't count as an attempt. */
  attempt: number | null;
  maxAttempts: number;
}

/** Name of the only trunk, both for the HTTP carrier and for LiveKit's SIP bridge. */
export const ONLY_TRUNK = 'carrier';

/** Returns the milliseconds between two dials. Null means no limit (0 calls per second). */
export const dialEveryMs = (callsPerSecond: number): number | null =>
  callsPerSecond === 0 ? null : 1_000 / callsPerSecond;

/** The checks that start_dial makes before a dial. */
export interface DialGuards {
  /** Trunk that limits the pace of dials. */
  trunk: string;
  /** Milliseconds between two calls over the trunk, across all workers. Null means no limit. */
  dialEveryMs: number | null;
  breakers: BreakerLimits;
  /** Registry answers from before this instant are ignored. Null if there is no registry. */
  registryNotBefore: string | null;
  /** The registry has just cleared the number. Default: false. */
  registryCleared?: boolean;
  /** No agent is ready, so nothing may be dialled. Default: false. */
  agentMissing?: boolean;
  /** The operator has a rule profile. Default: false. */
  hasOperatorProfile?: boolean;
  /** The operator's profile applies to dispatched calls too. Default: false. */
  rulesForDispatches?: boolean;
  /** Keyed hashes of the number, in hexadecimal. */
  numberHashes?: string[];
  /** The rules allow the dial, as decided from the last `askRules`. */
  decided?: DecidedRules;
  /** By our clock, how many milliseconds after the intent the carrier can still place a call that it hasn't reported. */
  pendingDialMs: number;
  /** Time after which the longest possible call is over. The record of a placed call replaces it. */
  deadlineMs: number;
}

/** An interval in which the rules allow a dial. It holds as long as the rules and the number's attempts stay the same. */
export interface DecidedRules {
  version: string;
  /** Number of attempts that the decision knew. */
  attempts: number;
  from: string;
  /** Exclusive. */
  until: string;
}

/** Limits for organizations without their own. 0 and null mean no limit. */
export interface BreakerLimits {
  /** Credits per UTC day. */
  campaignSpendPerDay: number | null;
  organizationSpendPerDay: number | null;
  /** Share of the latest `failureDials` dials that must fail to trip the circuit breaker; above 0, at most 1. */
  failureRate: number | null;
  failureDials: number;
}

export type DialStart =
  | { kind: 'unknown' }
  | { kind: 'over'; callStatus: FinalCallStatus }
  | { kind: 'placed'; deadlineAt: string }
  /** An earlier run may have sent the dial request, so look the call up at the carrier. */
  | { kind: 'requested'; notAfter: string; requestedAt: string }
  /** The call holds no line. */
  | { kind: 'waiting' }
  /** The rules don't allow the callback before `at`. */
  | { kind: 'notYet'; at: string }
  /** The call can't use its line now, because its campaign isn't dialling or the number of lines was lowered. */
  | { kind: 'refused' }
  /** The call is a callback that is past its `dialUntil`. */
  | { kind: 'tooLate' }
  /** The call has no campaign, and its organization has used up its credits for the day. */
  | { kind: 'overspent' }
  /** A person asked to hang up, and the carrier didn't place the call. */
  | { kind: 'hungUp' }
  /** A spend limit or circuit breaker stops the campaign. */
  | { kind: 'tripped'; organizationId: string; campaignId: string; breaker: Breaker }
  /** Nothing but a missing agent prevents the dial. */
  | { kind: 'agentMissing'; medium: 'telephony' | 'webrtc'; grantedAt: string }
  /** The number is on a do-not-disturb list. */
  | { kind: 'dnd' }
  /** Check the number with the registry first. */
  | { kind: 'askRegistry'; to: string }
  /** Decide whether the rules allow the dial. */
  | RulesQuestion
  /** Wait `waitMs` for a slot on the trunk. */
  | { kind: 'paced'; waitMs: number }
  | DialIntent;

/** The dial intent is stored. The worker can now ask the carrier to dial, or open the browser session. */
export type DialIntent = {
  kind: 'ask';
  /** The `notAfter` that was passed, or the end of the window if that is earlier. */
  notAfter: string;
  from: string | null;
  name: string | null;
  attempt: number;
  variables: Record<string, unknown>;
  modifyAgent: Record<string, unknown> | null;
  agentName: string;
  config: unknown;
} & ({ medium: 'telephony'; to: string } | { medium: 'webrtc'; to: null });

export interface RulesQuestion {
  kind: 'askRules';
  organizationId: string;
  campaignId: string | null;
  to: string;
  timezone: string | null;
  consent: boolean;
  rules: StoredRules;
  /** Identifies the rules. */
  version: string;
  /** Earlier attempts to call the number. */
  attempts: string[];
  /** End of the time in which a call without a campaign can be dialled. */
  dialUntil: string | null;
  /** The call is neither a campaign's nor a callback. */
  isDispatch: boolean;
}

interface ClaimedPage {
  claimed: ClaimedCall[];
  /** Calls that got a line, from any campaign of the organization. */
  granted: string[];
  /** Claim another page, because more calls should be ready. */
  more: boolean;
}

interface PageRequest {
  now: number;
  dialUntil: number;
  limit: number;
  /** Returns null if the window has closed, so that a late claim doesn't reopen it. By default, all contacts may be called. */
  openOf?: (snapshot: CampaignSnapshot) => OpenZones | null;
}

/** Zone keys whose contacts may be called. Null means all. */
export interface OpenZones {
  zones: string[] | null;
}

/** Claims due contacts and creates their call attempts. A retry also returns the calls of the first run until they are registered. */
export function claimPage(
  db: Db,
  campaignId: string,
  { now, dialUntil, limit, openOf = () => ({ zones: null }) }: PageRequest,
): Promise<ClaimedPage> {
  return db.transaction(async (trx) => {
    const snapshot = await lockSnapshot(trx, campaignId);
    const open = snapshot && openOf(snapshot);
    if (!open) return { claimed: [], granted: [], more: false };
    const { page } = await onlyRow<{ page: ClaimedPage }>(
      trx,
      'select claim_page(:campaignId, :now, :dialUntil, :limit, :zones::text[]) as page',
      { campaignId, now: timestamp(now), dialUntil: timestamp(dialUntil), limit, zones: open.zones },
    );
    return page;
  });
}

/** Queues calls for a line. Returns the calls that got one. */
export async function registerWaiting(
  db: Db,
  organizationId: string,
  callIds: string[],
  now: number,
): Promise<LineDecision> {
  const { decision } = await onlyRow<{ decision: { granted: string[] } }>(
    db,
    'select register_waiting(:organizationId, :callIds, :now) as decision',
    { organizationId, callIds, now: timestamp(now) },
  );
  return { granted: decision.granted, refillCampaignId: null };
}

/** Returns those of the calls that are over. */
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

/** When a call was due and when it was dialled. */
export interface DialTimes {
  /** `dueAs` and `dueAt` are null for the first dial of a contact, which has no due time. */
  dueAs: 'dispatch' | 'redial' | 'callback' | null;
  dueAt: Date | null;
  lineGrantedAt: Date | null;
  requestedAt: Date | null;
}

const RECORD_PLACED = prepared(
  'record_placed',
  `update calls k set carrier_id = :carrierId, from_number = coalesce(from_number, :from), reported_at = :now,
       deadline_at = :deadlineAt, stage = case when stage = 'requested' then 'placed' else stage end
     where call_id = :callId
     returning granted_at as "lineGrantedAt", requested_at as "requestedAt",
       case when callback_of is not null then 'callback' when campaign_id is null then 'dispatch' when attempt > 1 then 'redial' end as "dueAs",
       case when callback_of is not null then (select o.callback_at from calls o where o.call_id = k.callback_of)
            when campaign_id is null then accepted_at
            when attempt > 1 then (select p.next_attempt_at from calls p where p.contact_id = k.contact_id and p.attempt = k.attempt - 1)
       end as "dueAt"`,
);

interface PlacedCall {
  carrierId: string;
  /** Caller ID, if the dial chose one. */
  from: string | null;
  /** If no end is reported by then, the call is looked up. */
  deadlineAt: number;
}

/**
 * Records that the carrier has the call, and returns the times for the dial metrics. A call that is over keeps its stage, because a fast
 * carrier can report the end before it responds to the dial.
 */
export function recordPlaced(
  db: Db,
  callId: string,
  { carrierId, from, deadlineAt }: PlacedCall,
  now: number,
): Promise<DialTimes | undefined> {
  const times = { now: timestamp(now), deadlineAt: timestamp(deadlineAt) };
  return firstRow<DialTimes>(db, RECORD_PLACED, { callId, carrierId, from, ...times });
}

/**
 * Records that the carrier didn't place the call, so that it can be dialled again with the same line. Changes nothing if the call has
 * another intent than the one with `notAfter`, because a late response must not undo a newer intent.
 */
export async function recordNotPlaced(db: Db, callId: string, notAfter: number): Promise<void> {
  await rows(
    db,
    `update calls set stage = 'granted', not_after = null
     where call_id = :callId and stage = 'requested' and not_after = :notAfter`,
    { callId, notAfter: timestamp(notAfter) },
  );
}

/** Records that a worker waits for the call's agent or the do-not-disturb registry. Until then, the call needs no wake-up. */
export async function recordPreparation(db: Db, callId: string, until: number): Promise<void> {
  await rows(db, "update calls set preparing_until = :until where call_id = :callId and stage = 'granted'", {
    callId,
    until: timestamp(until),
  });
}

/** Gives up a line that the call can't use now, and puts the call back in the queue. */
export async function returnLine(db: Db, callId: string, now: number): Promise<LineDecision> {
  const { decision } = await onlyRow<{ decision: FreedLine }>(
    db,
    'select return_line(:callId, :now) as decision',
    { callId, now: timestamp(now) },
  );
  return lineDecision(decision);
}

/** Waits until `until`. If that is null, a campaign's contact ends in `state`. */
export interface Deferral {
  until: number | null;
  state: FinalContactState;
  /** The rule that refused the dial. */
  reason: string;
}

/** Takes the line of a call that may not be dialled now. A campaign's contact waits without a call. `isDeferred` is false if the call has no unused line. */
export async function deferDial(
  db: Db,
  callId: string,
  { until, state, reason }: Deferral,
  now: number,
): Promise<LineDecision & { isDeferred: boolean }> {
  const { decision } = await onlyRow<{ decision: FreedLine & { isDeferred: boolean } }>(
    db,
    'select defer_dial(:callId, :until, :state, :reason, :now) as decision',
    { callId, until: until === null ? null : timestamp(until), state, reason, now: timestamp(now) },
  );
  return { ...lineDecision(decision), isDeferred: decision.isDeferred };
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

/** The status is final exactly when the call is over. */
type CallStanding =
  | { stage: Exclude<CallStage, 'over'>; callStatus: ProgressStatus }
  | { stage: 'over'; callStatus: FinalCallStatus };

interface StoredCall {
  callId: string;
  organizationId: string;
  campaignId: string | null;
  medium: CallMedium;
  carrierId: string | null;
  notAfter: Date | null;
  ringingAt: Date | null;
  answeredAt: Date | null;
  answeredBy: AnsweredBy | null;
  /** A person asked to hang up the call. */
  isHangUpRequested: boolean;
  /** The call is orphaned and keeps its line for a while. */
  isOrphaned: boolean;
}

export function callState(db: Db, callId: string): Promise<CallState | undefined> {
  return firstRow<CallState>(
    db,
    `select call_id as "callId", organization_id as "organizationId", campaign_id as "campaignId", medium, stage, call_status as "callStatus",
            carrier_id as "carrierId", not_after as "notAfter", ringing_at as "ringingAt", answered_at as "answeredAt", answered_by as "answeredBy",
            hang_up_requested_at is not null as "isHangUpRequested", line_kept_until is not null as "isOrphaned"
     from calls where call_id = :callId`,
    { callId },
  );
}

export type DialOwner = { callId: string } | { campaignId: string };

/** Returns whether the carrier has a dial request that it hasn't answered, in which case a phone can still ring. Uses our clock. */
export async function isDialPending(db: Db, of: DialOwner, now: number): Promise<boolean> {
  const column = 'callId' in of ? 'call_id' : 'campaign_id';
  const { isPending } = await onlyRow<{ isPending: boolean }>(
    db,
    `select exists (select 1 from calls where ${column} = :id and stage = 'requested' and pending_until > :now) as "isPending"`,
    { id: 'callId' in of ? of.callId : of.campaignId, now: timestamp(now) },
  );
  return isPending;
}
