/**
 * Asks the carrier for a call, at most once for each attempt. The intent is written before the request, and a later run that finds it looks
 * the call up. The run dials again only when the carrier's clock is past `notAfter` and the look-up's lag.
 */
import { sleep } from '@temporalio/activity';
import * as calls from '../../db/calls/engine';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { assertNever } from '../../domain/assert-never';
import { endedAt, type EndFacts } from '../../domain/call-end';
import type { CallStatus, EndReason } from '../../domain/call-outcome';
import { maxTalkSeconds } from '../../domain/agent-config';
import { DIAL_GIVE_UP_MS } from '../../domain/dial-backoff';
import { effectiveConfig } from '../../domain/effective-config';
import { workflowTimeNow } from '../activity-clock';
import { applyBrake, heldForSetup } from '../campaigns/braking';
import { endCallAs, endFactsOf, WITHOUT_ROW } from '../ending/call-ending';
import { lacksCallerId, shownOrHeld } from './caller-id';
import type { ActivityDependencies } from '../dependencies';
import { dialRequest } from './dial-request';
import { Shares } from '../../runtime/shares';
import {
  preparedRoom,
  registryVerdict,
  type Preparation,
  type Prepared,
  type RoomReadiness,
} from './preparing';
import { TAKE_UP_MS, type DialAnswer } from '../telephony/port';

export type DialStep =
  /** `deadlineMs`: by then its end has been reported, or something is wrong. */
  | { kind: 'placed'; deadlineMs: number }
  /** Or to be. */
  | { kind: 'over'; callStatus: CallStatus | null }
  | { kind: 'noLine' }
  /** Its turn on the trunk has not come, or as many dials as may be are under way in this worker. */
  | { kind: 'paced'; waitMs: number }
  /** Somebody is slow: a regular activity is to wait for them, and the dial to be asked for again with what came of it. */
  | { kind: 'unprepared'; of: Preparation }
  /** The carrier's answer is not known: ask again whether it came to a call. */
  | { kind: 'unknown'; askAgainAfterMs: number }
  /** Not asked for, or not taken: `endReason` says what the call ends with when that goes on. */
  | Unavailable;

interface Unavailable {
  kind: 'unavailable';
  retryAfterMs: number | null;
  endReason: 'carrier_unavailable' | 'dnd_unverified';
  /** The SIP bridge has too little processor time left. */
  isBridgeBusy?: true;
  /** Of the first of these answers in a row. */
  since: number;
}

export interface DialInput {
  callId: string;
  now: number;
  /** It is to end: nobody is asked for anything. */
  stop?: boolean;
  /** Until when it may wait for a line; absent or null while others see to that. */
  lineBy?: number | null;
  /** `since` of the answer before, if that was `unavailable`. */
  unavailableSince?: number | null;
  /** What was prepared since the answer before. */
  prepared?: Prepared;
}

/** Beside the carrier's own clock and network: an event that is retried for the last time comes 31 s late. */
const DEADLINE_MARGIN_MS = 40_000;
/** For a call whose limit we did not send in this run: the largest that an agent can have, 60 minutes. */
const LONGEST_TALK_S = 3_600;
/** Within the seconds in which nearly every call shows, and beyond them. */
const LOOK_UP_AGAIN_MS = 1_000;
const LOOK_UP_SELDOM_MS = 5_000;
/** How long a person may take to come to their browser session: the longest that an agent can be set to wait for them. */
const LONGEST_JOIN_S = 600;
/** Beyond the take-up and the lag, by a clock that is not the carrier's. */
const CLOCK_MARGIN_MS = 1_000;
/** A turn that comes so soon is waited for here: a timer of the workflow would cost more, and keep it less exactly. */
const SHORT_WAIT_MS = 1_000;
/** After a timer, the rest is waited for here. */
const TIMER_AHEAD_MS = 500;
/** At least, until a worker whose places for dials are all taken is asked again; as long once more at most, so that not all come at once. */
const FULL_MS = 250;

export function diallingActivities(deps: ActivityDependencies) {
  const most = deps.settings.atOnce.dials;
  const turns = new Shares({ most, mostOfOne: most });
  return {
    dial: async (input: DialInput): Promise<DialStep> => {
      if (input.stop === true) return { kind: 'over', callStatus: null };
      // A carrier that keeps us waiting must leave slots to all that does not ask it.
      const endTurn = turns.take('dials');
      if (endTurn === null) return { kind: 'paced', waitMs: Math.round(FULL_MS * (1 + Math.random())) };
      try {
        const step = await dialNow(deps, input);
        return step.kind === 'unavailable' ? await unlessGivenUp(deps, input, step) : step;
      } finally {
        endTurn();
      }
    },
  };
}

type Outcome = Exclude<DialStep, Unavailable> | Omit<Unavailable, 'since'>;

async function dialNow(deps: ActivityDependencies, input: DialInput): Promise<Outcome> {
  const { callId, prepared = {} } = input;
  const room = await roomOf(deps, callId, prepared);
  if (room === 'refused') return keyRefused(deps, input);
  if (room === 'unavailable') return UNAVAILABLE;
  if (room === 'slow') return { kind: 'unprepared', of: 'room' };
  const guards = guardsOf(deps, callId, workflowTimeNow(input.now, deps.clock));
  let waitedMs = 0;
  for (;;) {
    const notAfter = Math.floor(await deps.telephony.now()) + TAKE_UP_MS;
    // Not before the carrier has answered, which may take seconds: what waits for this dial, and the window, are judged by it.
    const now = workflowTimeNow(input.now + waitedMs, deps.clock);
    const start = await calls.startDial(deps.db, callId, { now, notAfter, guards });
    if (start.kind === 'paced') {
      if (start.waitMs + waitedMs > SHORT_WAIT_MS) return undialled(deps, callId, pacedBy(start.waitMs));
      await sleep(start.waitMs);
      waitedMs += start.waitMs;
    } else if (start.kind === 'askRegistry') {
      const verdict = await registryVerdict(deps, { callId, phoneNumber: start.to, now }, prepared.registry);
      if (verdict === 'slow') return { kind: 'unprepared', of: 'registry' };
      if (verdict === 'listed') return undialled(deps, callId, end(deps, callId, 'dnd', now));
      if (verdict === 'unavailable') return undialled(deps, callId, DND_UNVERIFIED);
      guards.registryCleared = true;
    } else if (start.kind === 'waiting' && input.lineBy != null && now >= input.lineBy) {
      return undialled(deps, callId, end(deps, callId, 'line_wait_expired', now));
    } else return begun(deps, callId, start, now);
  }
}

/** The carrier, or the registry, is asked again for a while only. */
async function unlessGivenUp(
  deps: ActivityDependencies,
  { callId, unavailableSince, now: asked }: DialInput,
  step: Omit<Unavailable, 'since'>,
): Promise<DialStep> {
  const now = workflowTimeNow(asked, deps.clock);
  const since = unavailableSince ?? now;
  if (now - since < DIAL_GIVE_UP_MS) return { ...step, since };
  return { kind: 'over', callStatus: await endCallAs(deps, callId, endedAt(now, step.endReason), now) };
}

const UNAVAILABLE = { kind: 'unavailable', retryAfterMs: null, endReason: 'carrier_unavailable' } as const;
const DND_UNVERIFIED = { ...UNAVAILABLE, endReason: 'dnd_unverified' } as const;

/** What must stand before the phone may ring. A call that was asked for before is only looked up: its room is its evidence. */
async function roomOf(
  deps: ActivityDependencies,
  callId: string,
  { room }: Prepared,
): Promise<RoomReadiness> {
  if (!deps.telephony.preparesFirst(callId)) return 'ready';
  if ((await calls.callState(deps.db, callId))?.stage !== 'granted') return 'ready';
  // It comes to no call: an agent that waited for it would be missing for another.
  if (deps.telephony.needsCallerId(callId) && (await lacksCallerId(deps.db, callId, deps.settings)))
    return 'ready';
  return preparedRoom(deps, callId, room, deps.clock());
}

/** No dial follows: what was prepared for it goes. */
async function undialled(
  { telephony }: ActivityDependencies,
  callId: string,
  step: Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const taken = await step;
  await telephony.release(callId);
  return taken;
}

function guardsOf(
  { settings, dndRegistry, telephony }: ActivityDependencies,
  callId: string,
  now: number,
): calls.DialGuards {
  return {
    ...settings.dialGuards,
    settlesMs: telephony.settlesMs(callId),
    registryNotBefore: dndRegistry === null ? null : new Date(now - dndRegistry.keptForMs).toISOString(),
  };
}

const pacedBy = (waitMs: number): Outcome => ({
  kind: 'paced',
  waitMs: Math.max(waitMs - TIMER_AHEAD_MS, 1),
});

async function begun(
  deps: ActivityDependencies,
  callId: string,
  start: Exclude<calls.DialStart, { kind: 'paced' | 'askRegistry' }>,
  now: number,
): Promise<Outcome> {
  const { db, settings } = deps;
  switch (start.kind) {
    case 'ask':
      if (start.medium === 'webrtc') return openSession(deps, callId, start, now);
      return ask(deps, callId, start, now);
    case 'asked':
      return lookUp(deps, callId, start, now);
    case 'placed':
      return { kind: 'placed', deadlineMs: deadlineMs(settings.ringTimeoutS, LONGEST_TALK_S) };
    case 'over':
      return { kind: 'over', callStatus: start.callStatus };
    case 'hungUp':
      return undialled(deps, callId, end(deps, callId, 'cancelled', now));
    case 'dnd':
      return undialled(deps, callId, end(deps, callId, 'dnd', now));
    case 'overspent':
      return undialled(deps, callId, end(deps, callId, 'spend_limit', now));
    case 'tooLate':
      return undialled(deps, callId, end(deps, callId, 'line_wait_expired', now));
    case 'waiting':
      return undialled(deps, callId, { kind: 'noLine' });
    case 'braked':
      return braked(deps, callId, start, now);
    case 'refused':
      await signalWorkflows(deps.signals, deps.log, await calls.returnLine(db, callId, now));
      return undialled(deps, callId, { kind: 'noLine' });
    case 'unknown':
      return undialled(deps, callId, { kind: 'over', callStatus: WITHOUT_ROW });
    default:
      return assertNever(start);
  }
}

/** LiveKit opens no room for our key. */
async function keyRefused(deps: ActivityDependencies, { callId, now: asked }: DialInput): Promise<Outcome> {
  const now = workflowTimeNow(asked, deps.clock);
  const held = await heldForSetup(deps, callId, 'carrier_key');
  return held === null ? UNAVAILABLE : braked(deps, callId, held, now);
}

async function braked(
  deps: ActivityDependencies,
  callId: string,
  start: Extract<calls.DialStart, { kind: 'braked' }>,
  now: number,
): Promise<Outcome> {
  // Before the line is handed over: the next call of the campaign would only find the same.
  await applyBrake(deps, start, now);
  await signalWorkflows(deps.signals, deps.log, await calls.returnLine(deps.db, callId, now));
  return undialled(deps, callId, { kind: 'noLine' });
}

async function ask(
  deps: ActivityDependencies,
  callId: string,
  start: Extract<calls.DialIntent, { medium: 'telephony' }>,
  now: number,
): Promise<Outcome> {
  const { db, telephony, settings } = deps;
  const { ringTimeoutS } = settings;
  const config = effectiveConfig(start.config, start.modifyAgent);
  const numbers = config.deployment.phone.call_type.Outbound;
  const rule = { ...settings, isNeeded: telephony.needsCallerId(callId) };
  const { from, isRefused, campaign } = await shownOrHeld(db, { callId, start, numbers }, rule);
  if (isRefused && campaign !== undefined) {
    // No contact is spent on what the operator or the client has to put right; the carrier was asked for nothing.
    await calls.recordNotPlaced(db, callId, Date.parse(start.notAfter));
    return braked(deps, callId, { kind: 'braked', ...campaign, brake: { kind: 'no_number' } }, now);
  }
  const request = dialRequest(callId, start, { config, from, ringTimeoutS });
  const answer: DialAnswer = isRefused ? { kind: 'refused', faults: 'from' } : await telephony.dial(request);
  const notAfter = request.notAfter.getTime();
  const asked = { callId, from, notAfter, deadlineMs: deadlineMs(ringTimeoutS, request.maxTalkS) };
  return answered(deps, asked, answer, now);
}

/** A session passes no trunk and has no number; its participant joins by itself. */
async function openSession(
  deps: ActivityDependencies,
  callId: string,
  start: calls.DialIntent,
  now: number,
): Promise<Outcome> {
  const maxTalkS = maxTalkSeconds(effectiveConfig(start.config, start.modifyAgent));
  const asked = {
    callId,
    from: start.from,
    notAfter: Date.parse(start.notAfter),
    deadlineMs: deadlineMs(LONGEST_JOIN_S, maxTalkS),
  };
  return answered(deps, asked, await deps.telephony.createSession({ reference: callId }), now);
}

/** What was asked for under an intent that is written. */
interface Asked {
  callId: string;
  from: string | null;
  notAfter: number;
  deadlineMs: number;
}

async function answered(
  deps: ActivityDependencies,
  { callId, from, notAfter, deadlineMs }: Asked,
  answer: DialAnswer,
  now: number,
): Promise<Outcome> {
  const { db, log, clock, metrics } = deps;
  if ('because' in answer && answer.because !== undefined) {
    metrics.dialRefused(answer.because);
    const held = await heldForSetup(deps, callId, answer.because);
    if (held !== null) {
      log.warn({ call_id: callId, ...answer }, 'the carrier refused a call for its set-up');
      await calls.recordNotPlaced(db, callId, notAfter);
      return braked(deps, callId, held, now);
    }
  }
  switch (answer.kind) {
    case 'placed':
      metrics.dialled(
        await calls.recordPlaced(
          db,
          callId,
          { carrierId: answer.carrierId, from: from ?? answer.from ?? null },
          clock(),
        ),
      );
      return { kind: 'placed', deadlineMs };
    case 'notPlaced':
      await calls.recordNotPlaced(db, callId, notAfter);
      return undialled(deps, callId, {
        ...UNAVAILABLE,
        retryAfterMs: answer.retryAfterMs,
        ...(answer.because === 'bridge_busy' && { isBridgeBusy: true }),
      });
    case 'invalidNumber':
      return undialled(deps, callId, end(deps, callId, 'invalid_number', now));
    case 'refused':
      log.warn({ call_id: callId, faults: answer.faults }, 'the carrier refused the request as wrong');
      return undialled(deps, callId, end(deps, callId, 'request_refused', now));
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
): Promise<Outcome> {
  const { db, telephony, clock, metrics, settings } = deps;
  const answer = await telephony.find(callId);
  const [found] = answer.calls;
  if (found !== undefined) {
    metrics.dialled(
      await calls.recordPlaced(
        db,
        callId,
        { carrierId: found.carrierId, from: found.fromNumber ?? null },
        clock(),
      ),
    );
    if (found.state === 'ended') return over(deps, callId, endFactsOf(found, now), now);
    return { kind: 'placed', deadlineMs: deadlineMs(settings.ringTimeoutS, LONGEST_TALK_S) };
  }
  const notAfter = Date.parse(intent.notAfter);
  const isPast = (answer.carrierTime ?? clock() - CLOCK_MARGIN_MS) > notAfter + answer.lagMs;
  // The carrier's clock may have been set forward; time has passed by ours too.
  const waitedMs = now - Date.parse(intent.askedAt);
  const hasWaited = waitedMs > TAKE_UP_MS + answer.lagMs + CLOCK_MARGIN_MS;
  if (isPast && hasWaited) {
    await calls.recordNotPlaced(db, callId, notAfter);
    // As after a refusal: whoever places nothing for a minute is not asked for ever.
    return UNAVAILABLE;
  }
  const isLate = !hasWaited && waitedMs > 2 * LOOK_UP_SELDOM_MS;
  return { kind: 'unknown', askAgainAfterMs: isLate ? LOOK_UP_SELDOM_MS : LOOK_UP_AGAIN_MS };
}

async function over(
  deps: ActivityDependencies,
  callId: string,
  facts: EndFacts,
  now: number,
): Promise<Outcome> {
  return { kind: 'over', callStatus: await endCallAs(deps, callId, facts, now) };
}

/** Ends it for a reason of ours. */
const end = (
  deps: ActivityDependencies,
  callId: string,
  endReason: EndReason,
  now: number,
): Promise<Outcome> => over(deps, callId, endedAt(now, endReason), now);

const deadlineMs = (ringS: number, talkS: number): number => (ringS + talkS) * 1000 + DEADLINE_MARGIN_MS;
