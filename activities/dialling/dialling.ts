/**
 * Dials at most once for each attempt. The intent is written before the request, and a later run that finds it looks the call up and dials only
 * when the carrier's clock is past `notAfter` plus the lag of look-ups.
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
import { tripBreaker, heldForSetup } from '../campaigns/breakers';
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
  /** The carrier has the call. Its end must be reported within `deadlineMs`. */
  | { kind: 'placed'; deadlineMs: number }
  /** The call is over. `callStatus` is null if the workflow still has to end it. */
  | { kind: 'over'; callStatus: CallStatus | null }
  | { kind: 'noLine' }
  /** The trunk's pace or this worker's limit of concurrent dials requires a wait. */
  | { kind: 'paced'; waitMs: number }
  /** The agent or the DND registry is slow. Wait in a regular activity, then dial again with its result. */
  | { kind: 'unprepared'; of: Preparation }
  /** The outcome of the request is unknown. Dial again to look the call up. */
  | { kind: 'unknown'; askAgainAfterMs: number }
  | Unavailable;

/** The call was not placed. Retry later. */
interface Unavailable {
  kind: 'unavailable';
  retryAfterMs: number | null;
  /** How the call ends if retries fail for a minute. */
  endReason: 'carrier_unavailable' | 'dnd_unverified';
  /** The SIP bridge has too little processor time left. */
  isBridgeBusy?: true;
  /** When the first of these results in a row was returned. */
  since: number;
}

export interface DialInput {
  callId: string;
  now: number;
  /** The call must end without a dial. */
  stop?: boolean;
  /** When the wait for a line must end. Absent or null if the call does not limit it. */
  lineBy?: number | null;
  /** `since` of the previous result if it was `unavailable`. */
  unavailableSince?: number | null;
  /** Results of preparations since the previous dial. */
  prepared?: Prepared;
}

/** Allows for clock differences, and for the last retry of an event, which comes 31 s late. */
const DEADLINE_MARGIN_MS = 40_000;
/** The highest limit of an agent, for calls whose own limit this run does not know. */
const LONGEST_TALK_S = 3_600;
/** Look-up interval in the first seconds, in which nearly every call appears. */
const LOOK_UP_AGAIN_MS = 1_000;
/** Look-up interval afterwards. */
const LOOK_UP_SELDOM_MS = 5_000;
/** How long a person may take to join their browser session: the longest wait that an agent can have. */
const LONGEST_JOIN_S = 600;
/** Margin for comparing our clock with the carrier's. */
const CLOCK_MARGIN_MS = 1_000;
/** Wait up to this long here, because a workflow timer costs more and is less exact. */
const SHORT_WAIT_MS = 1_000;
/** A workflow timer ends this much early, and the rest is waited here. */
const TIMER_AHEAD_MS = 500;
/** Shortest delay when this worker is at its limit of dials. Up to as much again is added at random. */
const FULL_MS = 250;

export function diallingActivities(deps: ActivityDependencies) {
  const slots = new Shares({ most: deps.settings.atOnce.dials });
  return {
    dial: async (input: DialInput): Promise<DialStep> => {
      if (input.stop === true) return { kind: 'over', callStatus: null };
      // Limit the dials, so that a slow carrier leaves slots to other work.
      const release = slots.take('dials');
      if (release === null) return { kind: 'paced', waitMs: Math.round(FULL_MS * (1 + Math.random())) };
      try {
        const step = await dialNow(deps, input);
        return step.kind === 'unavailable' ? await unlessGivenUp(deps, input, step) : step;
      } finally {
        release();
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
    // Read the clock after the carrier's answer, which may take seconds, because the window is checked with it.
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

/** Ends the call if the carrier or the registry has been unavailable for a minute. */
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

/** Prepares the room that some calls need before the dial. An already dialled call is only looked up, and its room shows its state. */
async function roomOf(
  deps: ActivityDependencies,
  callId: string,
  { room }: Prepared,
): Promise<RoomReadiness> {
  if (!deps.telephony.preparesFirst(callId)) return 'ready';
  if ((await calls.callState(deps.db, callId))?.stage !== 'granted') return 'ready';
  // Don't reserve an agent, because the dial will be refused.
  if (deps.telephony.needsCallerId(callId) && (await lacksCallerId(deps.db, callId, deps.settings)))
    return 'ready';
  return preparedRoom(deps, callId, room, deps.clock());
}

/** Releases what was prepared, because no dial follows. */
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
    pendingDialMs: telephony.pendingDialMs(callId),
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
    case 'tripped':
      return tripped(deps, callId, start, now);
    case 'refused':
      await signalWorkflows(deps.signals, deps.log, await calls.returnLine(db, callId, now));
      return undialled(deps, callId, { kind: 'noLine' });
    case 'unknown':
      return undialled(deps, callId, { kind: 'over', callStatus: WITHOUT_ROW });
    default:
      return assertNever(start);
  }
}

/** Handles a LiveKit that rejects our API key. */
async function keyRefused(deps: ActivityDependencies, { callId, now: asked }: DialInput): Promise<Outcome> {
  const now = workflowTimeNow(asked, deps.clock);
  const held = await heldForSetup(deps, callId, 'carrier_key');
  return held === null ? UNAVAILABLE : tripped(deps, callId, held, now);
}

async function tripped(
  deps: ActivityDependencies,
  callId: string,
  start: Extract<calls.DialStart, { kind: 'tripped' }>,
  now: number,
): Promise<Outcome> {
  // Pause before the line is handed over, because the campaign's next call would meet the same fault.
  await tripBreaker(deps, start, now);
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
    // Nothing was dialled. Pause the campaign and keep its contacts until the operator or the organization fixes this.
    await calls.recordNotPlaced(db, callId, Date.parse(start.notAfter));
    return tripped(deps, callId, { kind: 'tripped', ...campaign, breaker: { kind: 'no_number' } }, now);
  }
  const request = dialRequest(callId, start, { config, from, ringTimeoutS });
  const answer: DialAnswer = isRefused ? { kind: 'refused', faults: 'from' } : await telephony.dial(request);
  const notAfter = request.notAfter.getTime();
  const asked = { callId, from, notAfter, deadlineMs: deadlineMs(ringTimeoutS, request.maxTalkS) };
  return answered(deps, asked, answer, now);
}

/** Opens a browser session, which needs neither trunk nor number. The participant joins it. */
async function openSession(
  deps: ActivityDependencies,
  callId: string,
  start: calls.DialIntent,
  now: number,
): Promise<Outcome> {
  const maxTalkS = maxTalkSeconds(effectiveConfig(start.config, start.modifyAgent));
  const times = { notAfter: Date.parse(start.notAfter), deadlineMs: deadlineMs(LONGEST_JOIN_S, maxTalkS) };
  const asked = { callId, from: start.from, ...times };
  return answered(deps, asked, await deps.telephony.createSession({ reference: callId }), now);
}

/** A request to the carrier whose intent is written. */
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
      log.warn({ call_id: callId, ...answer }, 'the carrier rejected a call because of a setup fault');
      await calls.recordNotPlaced(db, callId, notAfter);
      return tripped(deps, callId, held, now);
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
      log.warn({ call_id: callId, faults: answer.faults }, 'the carrier rejected the request as invalid');
      return undialled(deps, callId, end(deps, callId, 'request_refused', now));
    case 'unknown':
      return { kind: 'unknown', askAgainAfterMs: LOOK_UP_AGAIN_MS };
    default:
      return assertNever(answer);
  }
}

/** Looks up whether the intent of an earlier run led to a call. */
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
  // Also require that time has passed by our clock, because the carrier's may have been set forward.
  const waitedMs = now - Date.parse(intent.askedAt);
  const hasWaited = waitedMs > TAKE_UP_MS + answer.lagMs + CLOCK_MARGIN_MS;
  if (isPast && hasWaited) {
    await calls.recordNotPlaced(db, callId, notAfter);
    // Counts as a refusal, so that a carrier that places nothing for a minute ends the call.
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

/** Ends a call that the carrier does not have. */
const end = (
  deps: ActivityDependencies,
  callId: string,
  endReason: EndReason,
  now: number,
): Promise<Outcome> => over(deps, callId, endedAt(now, endReason), now);

const deadlineMs = (ringS: number, talkS: number): number => (ringS + talkS) * 1000 + DEADLINE_MARGIN_MS;
