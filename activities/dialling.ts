/**
 * Asks the carrier for a call, at most once for each attempt.
 *
 * The intent is written before the request. A later run that finds the intent looks the call up; only when the request can no longer
 * be taken up (`notAfter`) and the look-up can no longer miss it (its lag) is the carrier asked again, through the same checks. Both
 * are judged by the carrier's own clock, as ours may be wrong.
 */
import { sleep } from '@temporalio/activity';
import * as calls from '../db/call-engine';
import { announce } from '../workflows/announce';
import { assertNever } from '../workflows/domain/assert-never';
import { endedAt, type EndFacts } from '../workflows/domain/call-end';
import { finalStatusOf, type CallStatus } from '../workflows/domain/call-outcome';
import { workflowTimeNow } from './activity-clock';
import { applyBrake } from './braking';
import { endCallAs, endFactsOf } from './call-ending';
import type { ActivityDependencies } from './dependencies';
import { dialRequest } from './dial-request';
import { LOOK_UP_LAG_MS, TAKE_UP_MS, type DialRequest } from './telephony/port';

export type DialStep =
  /** `deadlineMs`: by then its end has been told, or something is wrong. */
  | { kind: 'placed'; deadlineMs: number }
  | { kind: 'over'; callStatus: CallStatus }
  | { kind: 'noLine' }
  /** Its turn on the trunk has not come. */
  | { kind: 'paced'; waitMs: number }
  /** The carrier's answer is not known: ask again whether it came to a call. */
  | { kind: 'unknown'; askAgainAfterMs: number }
  /** Not asked for, or not taken: `endReason` says what the call ends with when that goes on. */
  | {
      kind: 'unavailable';
      retryAfterMs: number | null;
      endReason: 'carrier_unavailable' | 'dnd_unverified';
    };

/** Beside the carrier's own clock and network: an event that is retried for the last time comes 31 s late. */
const DEADLINE_MARGIN_MS = 40_000;
/** For a call whose limit we did not send in this run: the largest that an agent can have, 60 minutes. */
const LONGEST_TALK_S = 3_600;
const LOOK_UP_AGAIN_MS = 1_000;
/** Beyond the take-up and the lag, by a clock that is not the carrier's. */
const CLOCK_MARGIN_MS = 1_000;
/** A turn that comes so soon is waited for here: a timer of the workflow would cost more, and keep it less exactly. */
const SHORT_WAIT_MS = 1_000;
/** After a timer, the rest is waited for here. */
const TIMER_AHEAD_MS = 500;

export function diallingActivities(deps: ActivityDependencies) {
  return {
    async dial(input: { callId: string; now: number }): Promise<DialStep> {
      const { callId } = input;
      const guards = guardsOf(deps, workflowTimeNow(input.now, deps.clock));
      let waitedMs = 0;
      for (;;) {
        const now = workflowTimeNow(input.now + waitedMs, deps.clock);
        const notAfter = Math.floor(await deps.telephony.now()) + TAKE_UP_MS;
        const start = await calls.beginDial(deps.db, callId, { now, notAfter, guards });
        if (start.kind === 'paced') {
          if (start.waitMs + waitedMs > SHORT_WAIT_MS) return pacedBy(start.waitMs);
          await sleep(start.waitMs);
          waitedMs += start.waitMs;
        } else if (start.kind === 'askRegistry') {
          const verdict = await deps.dndRegistry?.verdict({ callId, phoneNumber: start.to, now });
          if (verdict === 'listed') return over(deps, callId, endedAt(now, 'dnd'), now);
          if (verdict === 'unavailable') {
            return { kind: 'unavailable', retryAfterMs: null, endReason: 'dnd_unverified' };
          }
          guards.registryCleared = true;
        } else return begun(deps, callId, start, now);
      }
    },
  };
}

function guardsOf({ settings, dndRegistry }: ActivityDependencies, now: number): calls.DialGuards {
  return {
    ...settings.dialGuards,
    registryNotBefore: dndRegistry === null ? null : new Date(now - dndRegistry.keptForMs).toISOString(),
  };
}

const pacedBy = (waitMs: number): DialStep => ({
  kind: 'paced',
  waitMs: Math.max(waitMs - TIMER_AHEAD_MS, 1),
});

async function begun(
  deps: ActivityDependencies,
  callId: string,
  start: Exclude<calls.DialStart, { kind: 'paced' | 'askRegistry' }>,
  now: number,
): Promise<DialStep> {
  const { db, settings } = deps;
  switch (start.kind) {
    case 'ask':
      return ask(deps, dialRequest(callId, start, settings.ringTimeoutS), now);
    case 'asked':
      return lookUp(deps, callId, start, now);
    case 'placed':
      return { kind: 'placed', deadlineMs: deadlineMs(settings.ringTimeoutS, LONGEST_TALK_S) };
    case 'over':
      return { kind: 'over', callStatus: finalStatusOf(start.callStatus) };
    case 'hungUp':
      return over(deps, callId, endedAt(now, 'cancelled'), now);
    case 'dnd':
      return over(deps, callId, endedAt(now, 'dnd'), now);
    case 'tooLate':
      return over(deps, callId, endedAt(now, 'line_wait_expired'), now);
    case 'waiting':
      return { kind: 'noLine' };
    case 'braked':
      // Before the line goes on: the next call of the campaign would only find the same.
      await applyBrake(deps, start, now);
      await announce(deps.signals, deps.log, await calls.returnLine(db, callId, now));
      return { kind: 'noLine' };
    case 'refused':
      await announce(deps.signals, deps.log, await calls.returnLine(db, callId, now));
      return { kind: 'noLine' };
    // The API took the row back because it could not start us, and then it could after all.
    case 'unknown':
      return { kind: 'over', callStatus: 'error' };
    default:
      return assertNever(start);
  }
}

async function ask(deps: ActivityDependencies, request: DialRequest, now: number): Promise<DialStep> {
  const { db, telephony, log, clock } = deps;
  const { reference: callId } = request;
  const answer = await telephony.dial(request);
  switch (answer.kind) {
    case 'placed':
      await calls.recordPlaced(db, callId, { carrierId: answer.carrierId, from: request.from }, clock());
      return { kind: 'placed', deadlineMs: deadlineMs(request.ringTimeoutS, request.maxTalkS) };
    case 'notPlaced':
      await calls.recordNotPlaced(db, callId, request.notAfter.getTime());
      return {
        kind: 'unavailable',
        retryAfterMs: answer.retryAfterMs,
        endReason: 'carrier_unavailable',
      };
    case 'invalidNumber':
      return over(deps, callId, endedAt(now, 'invalid_number'), now);
    case 'refused':
      log.warn({ call_id: callId, faults: answer.faults }, 'the carrier refused the request as wrong');
      return over(deps, callId, endedAt(now, 'request_refused'), now);
    case 'unknown':
      return { kind: 'unknown', askAgainAfterMs: LOOK_UP_AGAIN_MS };
    default:
      return assertNever(answer);
  }
}

/** An earlier run wrote the intent: did it come to a call? */
async function lookUp(
  deps: ActivityDependencies,
  callId: string,
  intent: { notAfter: string; askedAt: string },
  now: number,
): Promise<DialStep> {
  const { db, telephony, clock, settings } = deps;
  const answer = await telephony.find(callId);
  const [found] = answer.calls;
  if (found !== undefined) {
    await calls.recordPlaced(db, callId, { carrierId: found.carrierId, from: null }, clock());
    if (found.state === 'ended') return over(deps, callId, endFactsOf(found, now), now);
    return { kind: 'placed', deadlineMs: deadlineMs(settings.ringTimeoutS, LONGEST_TALK_S) };
  }
  const notAfter = Date.parse(intent.notAfter);
  const isPast = (answer.carrierTime ?? clock() - CLOCK_MARGIN_MS) > notAfter + LOOK_UP_LAG_MS;
  // The carrier's clock may have been set forward; time has passed by ours too.
  const hasWaited = now - Date.parse(intent.askedAt) > TAKE_UP_MS + LOOK_UP_LAG_MS + CLOCK_MARGIN_MS;
  if (isPast && hasWaited) await calls.recordNotPlaced(db, callId, notAfter);
  return { kind: 'unknown', askAgainAfterMs: LOOK_UP_AGAIN_MS };
}

async function over(
  deps: ActivityDependencies,
  callId: string,
  facts: EndFacts,
  now: number,
): Promise<DialStep> {
  return { kind: 'over', callStatus: await endCallAs(deps, callId, facts, now) };
}

const deadlineMs = (ringS: number, talkS: number): number => (ringS + talkS) * 1000 + DEADLINE_MARGIN_MS;
