import * as calls from '../../db/calls/engine';
import { roomCall } from '../../db/calls/room-calls';
import { answerStranded, regainCall, strandCall, type OpenStrandedCall } from '../../db/calls/stranded-calls';
import { endedAt, type EndFacts } from '../../domain/call-end';
import { assertNever } from '../../domain/assert-never';
import type { AnsweredBy, CallStatus, EndReason } from '../../domain/call-outcome';
import { STRANDED, strandedEnd, type StrandedBy } from '../../domain/stranded-call';
import { endCallAs, endFactsOf, WITHOUT_ROW } from './call-ending';
import type { ActivityDependencies } from '../dependencies';
import {
  CarrierUnreachable,
  type CarrierCall,
  type HangUpAnswer,
  type LookUp,
  type Retrieved,
} from '../telephony/port';

/** What the carrier says of a call: that it has it, that it is over, or neither. */
type Found =
  | { kind: 'call'; call: CarrierCall; strandedBy: StrandedBy | null }
  /** It has forgotten the call, and it forgets none that is live. */
  | { kind: 'gone' }
  | { kind: 'none'; strandedBy: StrandedBy | null }
  | { kind: 'unreachable' };

async function find({ telephony }: ActivityDependencies, callId: string): Promise<Found> {
  let answer: LookUp;
  try {
    answer = await telephony.find(callId);
  } catch (error) {
    if (error instanceof CarrierUnreachable) return { kind: 'unreachable' };
    throw error;
  }
  const { strandedBy = null } = answer;
  const [call] = answer.calls;
  if (call !== undefined) return { kind: 'call', call, strandedBy };
  return answer.goneMeansOver ? { kind: 'gone' } : { kind: 'none', strandedBy };
}

/** Null while the carrier may have it. */
function endOf(found: Found, state: calls.CallState, now: number): EndFacts | null {
  if (found.kind === 'call' && found.call.state === 'ended') {
    const facts = endFactsOf(found.call, now);
    // The carrier may know less than its events reported: what was answered was placed, and broke off.
    const brokeOff = facts.endReason === 'carrier_failure' && state.answeredAt !== null;
    return brokeOff ? endedSo(state, 'dropped', Date.parse(facts.endedAt)) : facts;
  }
  // A request that was not answered yet may still be taken up.
  if (found.kind === 'gone' && state.stage === 'placed') return endedSo(state, goneReason(state), now);
  return null;
}

async function retrieve({ telephony }: ActivityDependencies, callId: string): Promise<Retrieved> {
  try {
    return await telephony.retrieve(callId);
  } catch (error) {
    if (error instanceof CarrierUnreachable) return { kind: 'away' };
    throw error;
  }
}

const isStranded = (found: Found): found is Found & { strandedBy: StrandedBy } =>
  'strandedBy' in found && found.strandedBy !== null;

/** Ends later, with another pass of reconciliation. */
async function strand(
  { db, log, settings }: ActivityDependencies,
  callId: string,
  { by, now }: { by: StrandedBy; now: number },
): Promise<null> {
  const keptUntil = await strandCall(db, callId, { by, now, ringTimeoutMs: settings.ringTimeoutS * 1000 });
  if (keptUntil !== null)
    log.warn({ call_id: callId, line_kept_until: new Date(keptUntil).toISOString() }, STRANDED);
  return null;
}

/** Null where the end is reported later, or the carrier could not be reached. `endReason` is that of a call which ends with the answer. */
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
  if (answer === 'stranded') await strand(deps, state.callId, { by: 'bridge', now });
  // The phone of a stranded call is no longer where it is hung up.
  if (answer !== 'ended' || state.isStranded) return null;
  return endCallAs(deps, state.callId, endedSo(state, endReason, now), now);
}

/** Endings that no event reported: the carrier is asked, and its answer is the truth. */
export function settlingActivities(deps: ActivityDependencies) {
  const { db, log, clock } = deps;

  return {
    /**
     * The final status of a call past its deadline; null while the carrier still has it: it was asked to hang up. With `giveUp` it
     * is written off, so that its line is free whatever the carrier does.
     */
    async settleCall({
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
      if (isStranded(found) && state.stage === 'placed')
        return strand(deps, callId, { by: found.strandedBy, now });
      const isAlone = nobodyCame(state);
      const end = endOf(found, state, now);
      if (end !== null) return endCallAs(deps, callId, isAlone ? unlessAnswered(end) : end, now);
      const how = isAlone ? ({ now, endReason: 'no_answer' } as const) : { now };
      const hungUp = found.kind === 'call' ? await hangUp(deps, found.call.carrierId, state, how) : null;
      if (hungUp !== null || !giveUp) return hungUp;
      log.warn(
        { call_id: callId, client_id: state.clientId },
        'a call was written off: the carrier never reported its end',
      );
      return endCallAs(deps, callId, endedAt(now, isAlone ? 'no_answer' : 'lost'), now);
    },

    /**
     * The call is to end now: ends it where nothing was dialled, hangs it up where something was. Null while it may be live. A carrier
     * that cannot be reached is not asked again here: the caller that wants the end comes back.
     */
    async stopCall({ callId, now }: { callId: string; now: number }): Promise<CallStatus | null> {
      const state = await calls.callState(db, callId);
      if (state === undefined) return WITHOUT_ROW;
      if (state.stage !== 'asking' && state.stage !== 'placed') {
        return endCallAs(deps, callId, endedAt(now, 'cancelled'), now);
      }
      if (state.carrierId !== null) return hangUp(deps, state.carrierId, state, { now });
      // A look-up may miss a call that was placed a moment ago.
      const found = await find(deps, callId);
      return found.kind === 'call' ? hangUp(deps, found.call.carrierId, state, { now }) : null;
    },

    /** Looks up a placed call of which nothing was reported, and applies what the carrier says. Returns whether it is over now. */
    async lookUpSilentCall(callId: string): Promise<CallStatus | null> {
      const state = await calls.callState(db, callId);
      if (state === undefined || state.stage === 'over') return null;
      const found = await find(deps, callId);
      if (isStranded(found)) return strand(deps, callId, { by: found.strandedBy, now: clock() });
      const end = endOf(found, state, clock());
      return end === null ? null : endCallAs(deps, callId, end, clock());
    },

    /** Ends a stranded call once its phone was hung up, or can ring and be connected no longer. Returns the final status; null while it is kept. */
    async settleStrandedCall(stranded: OpenStrandedCall): Promise<CallStatus | null> {
      const { callId } = stranded;
      const found = await retrieve(deps, callId);
      if (clock() < (await waitsUntil(deps, stranded, found))) return null;
      const call = await roomCall(db, callId);
      if (call === undefined || call.strandedAt === null) return null;
      const isAnswered = found.kind === 'released' ? found.isAnswered : null;
      const end = strandedEnd(call, { since: call.strandedAt.getTime(), now: clock(), isAnswered });
      return endCallAs(deps, callId, end, clock());
    },
  };
}

/** Until when the line waits for the phone of a stranded call. */
async function waitsUntil(
  { db, clock, settings }: ActivityDependencies,
  { callId, keptUntil }: OpenStrandedCall,
  found: Retrieved,
): Promise<number> {
  switch (found.kind) {
    case 'talks':
      await regainCall(db, callId, clock());
      return Infinity;
    case 'released':
      return 0;
    case 'away': {
      const known = { now: clock(), ringTimeoutMs: settings.ringTimeoutS * 1000 };
      const later = found.wasAnswered === true ? await answerStranded(db, callId, known) : null;
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

/**
 * A browser session past its deadline whose answer was never reported: nobody joined it for as long as anybody could, whatever became of its
 * room and of the agent that waited there.
 */
const nobodyCame = ({ medium, answeredAt, isHangUpAsked }: calls.CallState): boolean =>
  medium === 'webrtc' && answeredAt === null && !isHangUpAsked;

/** The room may know of an answer that was not reported. */
const unlessAnswered = (end: EndFacts): EndFacts =>
  (end.answeredAt ?? null) === null ? { ...end, endReason: 'no_answer' } : end;

/** Who picked up is reported later than the answer itself. */
function answeredByOf({ answeredBy, answeredAt }: calls.CallState): AnsweredBy | null {
  if (answeredBy === 'human' || answeredBy === 'machine') return answeredBy;
  return answeredAt === null ? null : 'unknown';
}

/** How a call ended that the carrier has forgotten: nobody can say who broke it off, unless we did. */
function goneReason({ isHangUpAsked, answeredAt }: calls.CallState): EndReason {
  if (isHangUpAsked) return 'platform';
  return answeredAt === null ? 'carrier_failure' : 'dropped';
}
