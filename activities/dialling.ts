/**
 * Asks the carrier for a call, at most once for each attempt.
 *
 * The intent is written before the request. A later run that finds the intent looks the call up; only when the request can no longer
 * be taken up (`notAfter`) and the look-up can no longer miss it (its lag) is the carrier asked again, through the same checks.
 */
import * as calls from '../db/call-engine';
import {
  amdEnabled,
  greetingOf,
  maxTalkSeconds,
  metadataOf,
  outboundNumbers,
  promptOf,
  type AgentConfig,
} from '../workflows/domain/agent-config';
import { announce } from '../workflows/announce';
import { assertNever } from '../workflows/domain/assert-never';
import { endedAt, type EndFacts } from '../workflows/domain/call-end';
import { finalStatusOf, type CallStatus } from '../workflows/domain/call-outcome';
import { isJsonObject } from '../workflows/domain/json';
import { deepMerge } from '../workflows/domain/deep-merge';
import { workflowTimeNow } from './activity-clock';
import { endCallAs, endFactsOf } from './call-ending';
import type { ActivityDependencies } from './dependencies';
import { LOOK_UP_LAG_MS, TAKE_UP_MS, type DialRequest } from './telephony/port';

export type DialStep =
  /** `deadlineMs`: by then its end has been told, or something is wrong. */
  | { kind: 'placed'; deadlineMs: number }
  | { kind: 'over'; callStatus: CallStatus }
  | { kind: 'noLine' }
  /** The carrier's answer is not known: ask again whether it came to a call. */
  | { kind: 'unknown'; askAgainAfterMs: number }
  | { kind: 'unavailable'; retryAfterMs: number | null };

/** Beside the carrier's own clock and network: an event that is retried for the last time comes 31 s late. */
const DEADLINE_MARGIN_MS = 40_000;
/** For a call whose limit we did not send in this run: the largest that an agent can have, 60 minutes. */
const LONGEST_TALK_S = 3_600;
const LOOK_UP_AGAIN_MS = 1_000;
/** Our clock and the carrier's may differ by this much before a second request could meet the first. */
const CLOCK_MARGIN_MS = 1_000;

export function diallingActivities(deps: ActivityDependencies) {
  return {
    async dial(input: { callId: string; now: number }): Promise<DialStep> {
      const { db, signals, log, clock, settings } = deps;
      const { callId } = input;
      const now = workflowTimeNow(input.now);
      const notAfter = clock() + TAKE_UP_MS;
      const start = await calls.beginDial(db, callId, { now, notAfter });
      switch (start.kind) {
        case 'ask':
          return ask(deps, dialRequest(callId, start, notAfter, settings.ringTimeoutS), now);
        case 'asked':
          return lookUp(deps, callId, Date.parse(start.notAfter), now);
        case 'placed':
          return { kind: 'placed', deadlineMs: deadlineMs(settings.ringTimeoutS, LONGEST_TALK_S) };
        case 'over':
          return { kind: 'over', callStatus: finalStatusOf(start.callStatus) };
        case 'hungUp':
          return over(deps, callId, endedAt(now, 'cancelled'), now);
        case 'waiting':
          return { kind: 'noLine' };
        case 'refused':
          await announce(signals, log, await calls.returnLine(db, callId, now));
          return { kind: 'noLine' };
        // The API took the row back because it could not start us, and then it could after all.
        case 'unknown':
          return { kind: 'over', callStatus: 'error' };
        default:
          return assertNever(start);
      }
    },
  };
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
      return { kind: 'unavailable', retryAfterMs: answer.retryAfterMs };
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
  notAfter: number,
  now: number,
): Promise<DialStep> {
  const { db, telephony, clock, settings } = deps;
  const [found] = await telephony.find(callId);
  if (found !== undefined) {
    await calls.recordPlaced(db, callId, { carrierId: found.carrierId, from: null }, clock());
    if (found.state === 'ended') return over(deps, callId, endFactsOf(found, now), now);
    return { kind: 'placed', deadlineMs: deadlineMs(settings.ringTimeoutS, LONGEST_TALK_S) };
  }
  if (clock() > notAfter + LOOK_UP_LAG_MS + CLOCK_MARGIN_MS)
    await calls.recordNotPlaced(db, callId, notAfter);
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

function dialRequest(
  reference: string,
  start: Extract<calls.DialStart, { kind: 'ask' }>,
  notAfter: number,
  ringTimeoutS: number,
): DialRequest {
  const config = effectiveConfig(start.config, start.modifyAgent);
  const numbers = outboundNumbers(config);
  return {
    reference,
    to: start.to,
    // A redial comes from the next of the agent's numbers: the one before may be what was not answered.
    from: start.from ?? numbers[(start.attempt - 1) % Math.max(1, numbers.length)] ?? null,
    notAfter: new Date(notAfter),
    ringTimeoutS,
    maxTalkS: maxTalkSeconds(config),
    amd: amdEnabled(config),
    agent: { name: start.agentName, greeting: greetingOf(config), prompt: promptOf(config) },
    variables: { ...metadataOf(config), ...start.variables, name: start.name },
  };
}

/** The agent as this call runs it: its stored version with the call's own changes over it. */
export function effectiveConfig(stored: unknown, modifyAgent: Record<string, unknown> | null): AgentConfig {
  const config = isJsonObject(stored) ? stored : {};
  if (modifyAgent === null || !isJsonObject(modifyAgent)) return config;
  const result = deepMerge(config, modifyAgent);
  return 'merged' in result ? result.merged : config;
}
