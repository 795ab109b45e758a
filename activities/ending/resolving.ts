import * as calls from '../../db/calls/engine';
import { roomCall } from '../../db/calls/room-calls';
import {
  answerOrphaned,
  clearOrphaned,
  markOrphaned,
  type OpenOrphanedCall,
} from '../../db/calls/orphaned-calls';
import { endedAt, type EndFacts } from '../../domain/call-end';
import { assertNever } from '../../domain/assert-never';
import type { AnsweredBy, CallStatus, EndReason } from '../../domain/call-outcome';
import { ORPHANED, orphanedEnd, type OrphanedBy } from '../../domain/orphaned-call';
import { endCallAs, endFactsOf, WITHOUT_ROW } from './call-ending';
import type { ActivityDependencies } from '../dependencies';
import {
  CarrierUnreachable,
  type CarrierCall,
  type HangUpAnswer,
  type LookUp,
  type Retrieved,
} from '../telephony/port';

/** The result of looking a call up at the carrier. */
type Found =
  | { kind: 'call'; call: CarrierCall; orphanedBy: OrphanedBy | null }
  /** The carrier no longer has the call, so the call is over. */
  | { kind: 'gone' }
  | { kind: 'none'; orphanedBy: OrphanedBy | null }
  | { kind: 'unreachable' };

async function find({ telephony }: ActivityDependencies, callId: string): Promise<Found> {
  let answer: LookUp;
  try {
    answer = await telephony.find(callId);
  } catch (error) {
    if (error instanceof CarrierUnreachable) return { kind: 'unreachable' };
    throw error;
  }
  const { orphanedBy = null } = answer;
  const [call] = answer.calls;
  if (call !== undefined) return { kind: 'call', call, orphanedBy };
  return answer.goneMeansOver ? { kind: 'gone' } : { kind: 'none', orphanedBy };
}

/** Returns null while the carrier may have the call. */
function endOf(found: Found, state: calls.CallState, now: number): EndFacts | null {
  if (found.kind === 'call' && found.call.state === 'ended') {
    const facts = endFactsOf(found.call, now);
    // The carrier's record may lack an answer that its events reported. In that case, the call was answered and then dropped.
    const brokeOff = facts.endReason === 'carrier_failure' && state.answeredAt !== null;
    return brokeOff ? endedSo(state, 'dropped', Date.parse(facts.endedAt)) : facts;
  }
  // While a dial is requested, the carrier may still accept the request.
  if (found.kind === 'gone' && state.stage === 'placed') return endedSo(state, goneReason(state), now);
  return null;
}

async function retrieve({ telephony }: ActivityDependencies, callId: string): Promise<Retrieved> {
  try {
    return await telephony.retrieve(callId);
  } catch (error) {
    if (error instanceof CarrierUnreachable) return { kind: 'absent' };
    throw error;
  }
}

const isOrphaned = (found: Found): found is Found & { orphanedBy: OrphanedBy } =>
  'orphanedBy' in found && found.orphanedBy !== null;

/** Marks the call as orphaned. A later pass of reconciliation ends it. */
async function keepAsOrphaned(
  { db, log, settings }: ActivityDependencies,
  callId: string,
  { by, now }: { by: OrphanedBy; now: number },
): Promise<null> {
  const keptUntil = await markOrphaned(db, callId, { by, now, ringTimeoutMs: settings.ringTimeoutS * 1000 });
  if (keptUntil !== null)
    log.warn({ call_id: callId, line_kept_until: new Date(keptUntil).toISOString() }, ORPHANED);
  return null;
}

/**
 * Returns null if the end will be reported later or the carrier is unreachable. `endReason` applies if the hang-up itself ends the call.
 */
async function hangUp(
  deps: ActivityDependencies,
  carrierId: string,
  state: calls.CallState,
  { now, endReason = 'platform' }: { now: number; endReason?: EndReason },
): Promise<CallStatus | null> {
  let answer: HangUpAnswer;
  try {
    answer = await deps.telephony.hangUp(carrierId);
  } catch (error) {
    if (error instanceof CarrierUnreachable) return null;
    throw error;
  }
  if (answer === 'orphaned') await keepAsOrphaned(deps, state.callId, { by: 'bridge', now });
  // A hang-up doesn't reach the phone of an orphaned call.
  if (answer !== 'ended' || state.isOrphaned) return null;
  return endCallAs(deps, state.callId, endedSo(state, endReason, now), now);
}

/** Ends calls whose end no event reported, based on the carrier's record. */
export function resolvingActivities(deps: ActivityDependencies) {
  const { db, log, clock } = deps;

  return {
    /**
     * Looks up a call past its deadline and hangs it up if the carrier still has it. Returns null if it is not over yet. With `giveUp`, the
     * call ends as lost even then, which frees its line.
     */
    async resolveCall({
      callId,
      giveUp,
      now,
    }: {
      callId: string;
      giveUp: boolean;
      now: number;
    }): Promise<CallStatus | null> {
      const state = await calls.callState(db, callId);
      if (state === undefined) return WITHOUT_ROW;
      if (state.stage === 'over') return state.callStatus;
      const found = await find(deps, callId);
      if (isOrphaned(found) && state.stage === 'placed')
        return keepAsOrphaned(deps, callId, { by: found.orphanedBy, now });
      const isAlone = wasNeverJoined(state);
      const end = endOf(found, state, now);
      if (end !== null) return endCallAs(deps, callId, isAlone ? unlessAnswered(end) : end, now);
      const how = isAlone ? ({ now, endReason: 'no_answer' } as const) : { now };
      const hungUp = found.kind === 'call' ? await hangUp(deps, found.call.carrierId, state, how) : null;
      if (hungUp !== null || !giveUp) return hungUp;
      log.warn(
        { call_id: callId, organization_id: state.organizationId },
        'a call ended as lost: the carrier never reported its end',
      );
      return endCallAs(deps, callId, endedAt(now, isAlone ? 'no_answer' : 'lost'), now);
    },

    /**
     * Ends a call that was not dialled, or hangs it up. Returns null while the call may be live (for example while the carrier is
     * unreachable). Retry in that case.
     */
    async stopCall({ callId, now }: { callId: string; now: number }): Promise<CallStatus | null> {
      const state = await calls.callState(db, callId);
      if (state === undefined) return WITHOUT_ROW;
      if (state.stage !== 'requested' && state.stage !== 'placed') {
        return endCallAs(deps, callId, endedAt(now, 'cancelled'), now);
      }
      if (state.carrierId !== null) return hangUp(deps, state.carrierId, state, { now });
      // The look-up may miss a call that was placed a moment ago.
      const found = await find(deps, callId);
      return found.kind === 'call' ? hangUp(deps, found.call.carrierId, state, { now }) : null;
    },

    /** Looks up a placed call without recent events. Returns the final status if it is over, otherwise null. */
    async lookUpSilentCall(callId: string): Promise<CallStatus | null> {
      const state = await calls.callState(db, callId);
      if (state === undefined || state.stage === 'over') return null;
      const found = await find(deps, callId);
      if (isOrphaned(found)) return keepAsOrphaned(deps, callId, { by: found.orphanedBy, now: clock() });
      const end = endOf(found, state, clock());
      return end === null ? null : endCallAs(deps, callId, end, clock());
    },

    /**
     * Ends an orphaned call once its phone was hung up or can no longer be connected. Returns the final status, or null while the call
     * keeps its line.
     */
    async resolveOrphanedCall(orphaned: OpenOrphanedCall): Promise<CallStatus | null> {
      const { callId } = orphaned;
      const found = await retrieve(deps, callId);
      if (clock() < (await waitsUntil(deps, orphaned, found))) return null;
      const call = await roomCall(db, callId);
      if (call === undefined || call.orphanedAt === null) return null;
      const isAnswered = found.kind === 'released' ? found.isAnswered : null;
      const end = orphanedEnd(call, { since: call.orphanedAt.getTime(), now: clock(), isAnswered });
      return endCallAs(deps, callId, end, clock());
    },
  };
}

/** Returns the time until which an orphaned call keeps its line. */
async function waitsUntil(
  { db, clock, settings }: ActivityDependencies,
  { callId, keptUntil }: OpenOrphanedCall,
  found: Retrieved,
): Promise<number> {
  switch (found.kind) {
    case 'talks':
      await clearOrphaned(db, callId, clock());
      return Infinity;
    case 'released':
      return 0;
    case 'absent': {
      const known = { now: clock(), ringTimeoutMs: settings.ringTimeoutS * 1000 };
      const later = found.wasAnswered === true ? await answerOrphaned(db, callId, known) : null;
      return later ?? keptUntil.getTime();
    }
    default:
      return assertNever(found);
  }
}

const endedSo = (state: calls.CallState, endReason: EndReason, now: number): EndFacts => ({
  ...endedAt(now, endReason),
  answeredBy: answeredByOf(state),
});

/** Returns whether a browser session past its deadline was never joined. */
const wasNeverJoined = ({ medium, answeredAt, isHangUpRequested }: calls.CallState): boolean =>
  medium === 'webrtc' && answeredAt === null && !isHangUpRequested;

/** Changes the end reason to `no_answer`, unless the room shows an answer that no event reported. */
const unlessAnswered = (end: EndFacts): EndFacts =>
  (end.answeredAt ?? null) === null ? { ...end, endReason: 'no_answer' } : end;

/** Returns `unknown` for an answered call until the carrier reports who answered. */
function answeredByOf({ answeredBy, answeredAt }: calls.CallState): AnsweredBy | null {
  if (answeredBy === 'human' || answeredBy === 'machine') return answeredBy;
  return answeredAt === null ? null : 'unknown';
}

/** Returns the end reason of a call that the carrier no longer has. The reason is only certain if we hung up the call ourselves. */
function goneReason({ isHangUpRequested, answeredAt }: calls.CallState): EndReason {
  if (isHangUpRequested) return 'platform';
  return answeredAt === null ? 'carrier_failure' : 'dropped';
}
