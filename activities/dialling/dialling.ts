/**
 * Dials at most once per attempt. The intent is written before the request. If a later run finds the intent, it looks the call up. It dials
 * again only once the carrier's clock is past `notAfter` plus the lag of look-ups.
 */
import * as calls from '../../db/calls/engine';
import type { DialIntent } from '../../db/calls/engine';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { assertNever } from '../../domain/assert-never';
import { endedAt, type EndFacts } from '../../domain/call-end';
import type { EndReason } from '../../domain/call-outcome';
import { maxTalkSeconds, type ResolvedConfig } from '../../domain/agent-config';
import { AGENT_GIVE_UP_MS, DIAL_GIVE_UP_MS } from '../../domain/dial-backoff';
import { effectiveConfig, templateVariables } from '../../domain/effective-config';
import { workflowTimeNow } from '../local-activity';
import { tripBreaker, heldForSetup } from '../campaigns/breakers';
import { endCallAs, endFactsOf, WITHOUT_ROW } from '../ending/call-ending';
import { numberHashes } from '../../db/kernel/number-hash';
import { shownOrHeld } from './caller-id';
import { decidedRules, decideDial, deferral, prefixesOf, profilesOf } from './rules';
import { disclosureOf } from '../../domain/rules/dialling';
import type { RuleProfile } from '../../domain/rules/profile';
import type { DialInput, DialStep, Unavailable } from './dial-step';
import type { ActivityDependencies } from '../dependencies';
import { Shares } from '../../runtime/shares';
import { preparedRoom, registryVerdict } from './preparing';
import { TAKE_UP_MS, type DialAnswer, type DialRequest } from '../telephony/port';

/** Covers clock differences and the carrier's last retry of an event, which arrives 31 s late. */
const DEADLINE_MARGIN_MS = 40_000;
/** The highest talk limit that an agent can have. Used if this run doesn't know the call's own limit. */
const LONGEST_TALK_S = 3_600;
/** Look-up interval at first. Nearly every call appears within seconds. */
const LOOK_UP_AGAIN_MS = 1_000;
/** Look-up interval later on. */
const LOOK_UP_SELDOM_MS = 5_000;
/** How long a person can take to join a browser session. No agent can be configured to wait longer. */
const LONGEST_JOIN_S = 600;
/** Margin for comparing our clock with the carrier's. */
const CLOCK_MARGIN_MS = 1_000;
/** The activity itself waits up to this long, because a workflow timer costs more and is less exact. */
const SHORT_WAIT_MS = 1_000;
/** How much earlier a workflow timer ends. The activity waits for the rest. */
const TIMER_AHEAD_MS = 500;
/** Minimum delay when this worker is at its limit of dials. A random delay of up to 250 ms is added. */
const FULL_MS = 250;

export function diallingActivities(deps: ActivityDependencies) {
  const slots = new Shares({ max: deps.settings.atOnce.dials });
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

const UNAVAILABLE = { kind: 'unavailable', retryAfterMs: null, endReason: 'carrier_unavailable' } as const;
const DND_UNVERIFIED = { ...UNAVAILABLE, endReason: 'dnd_unverified' } as const;

/** The context of one dial, shared by its handlers. */
interface Dial {
  deps: ActivityDependencies;
  input: DialInput;
  callId: string;
  guards: calls.DialGuards;
  /** Rule profiles that apply to the call. */
  profiles: readonly RuleProfile[];
  /** How long this run has waited because of the trunk's dial rate. */
  waitedMs: number;
  /** The time that `start_dial` used for its decisions. */
  now: number;
}

async function dialNow(deps: ActivityDependencies, input: DialInput): Promise<Outcome> {
  const { callId } = input;
  const room = await preparedRoom(deps, input);
  if (room === 'unavailable') return UNAVAILABLE;
  if (room === 'slow') return { kind: 'unprepared', of: 'room' };
  const dial = openDial(deps, input);
  if (room === 'refused') return keyRefused(dial);
  // The other checks may return the line or end the call.
  if (room === 'noAgent') dial.guards.agentMissing = true;
  for (;;) {
    const notAfter = Math.floor(await deps.telephony.now()) + TAKE_UP_MS;
    // Read the clock again. The carrier can take seconds to respond, and the calling window is checked against this time.
    dial.now = workflowTimeNow(input.now + dial.waitedMs, deps.clock);
    const start = await calls.startDial(deps.db, callId, { now: dial.now, notAfter, guards: dial.guards });
    const step = await handle(dial, start.kind, start);
    if (step !== 'again') return step;
  }
}

function openDial(deps: ActivityDependencies, input: DialInput): Dial {
  const { settings, dndRegistry, telephony, clock } = deps;
  const { callId } = input;
  const now = workflowTimeNow(input.now, clock);
  const guards = {
    ...settings.dialGuards,
    pendingDialMs: telephony.pendingDialMs(callId),
    deadlineMs: placed(settings.ringTimeoutS, LONGEST_TALK_S).deadlineMs,
    registryNotBefore: dndRegistry === null ? null : new Date(now - dndRegistry.keptForMs).toISOString(),
  };
  return { deps, input, callId, guards, profiles: [], waitedMs: 0, now };
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

type Starts = { [Kind in calls.DialStart['kind']]: Extract<calls.DialStart, { kind: Kind }> };
type Handlers = {
  [Kind in keyof Starts]: (dial: Dial, start: Starts[Kind]) => Promise<Outcome | 'again'>;
};

/** The handler for each result of `start_dial`. When a handler returns `again`, the dial runs `start_dial` again. */
const HANDLERS: Handlers = {
  ask: (dial, start) => (start.medium === 'webrtc' ? openSession(dial, start) : request(dial, start)),
  requested: (dial, intent) =>
    dial.input.isDirect === true ? Promise.resolve({ kind: 'noLine' }) : lookUp(dial, intent),
  placed: ({ now }, { deadlineAt }) =>
    Promise.resolve({ kind: 'placed', deadlineMs: Math.max(1, Date.parse(deadlineAt) - now), isFound: true }),
  over: (_dial, { callStatus }) => Promise.resolve({ kind: 'over', callStatus }),
  hungUp: (dial) => end(dial, 'cancelled'),
  agentMissing: waitForAgent,
  dnd: (dial) => end(dial, 'dnd'),
  overspent: (dial) => end(dial, 'spend_limit'),
  tooLate: (dial) => end(dial, 'line_wait_expired'),
  waiting: (dial) =>
    dial.input.lineBy != null && dial.now >= dial.input.lineBy
      ? end(dial, 'line_wait_expired')
      : undialled(dial, { kind: 'noLine' }),
  paced: waitForTrunk,
  askRegistry,
  askRules,
  notYet: (dial, { at }) => undialled(dial, { kind: 'notYet', at: Date.parse(at) }),
  tripped: pauseCampaign,
  refused: returnLine,
  unknown: (dial) => undialled(dial, { kind: 'over', callStatus: WITHOUT_ROW }),
};

const handle = <Kind extends keyof Starts>(
  dial: Dial,
  kind: Kind,
  start: Starts[Kind],
): Promise<Outcome | 'again'> => HANDLERS[kind](dial, start);

/** Releases the prepared resources, because no dial follows. */
async function undialled({ deps, callId }: Dial, step: Outcome): Promise<Outcome> {
  await deps.telephony.release(callId);
  return step;
}

/** Ends a call that never reached the carrier. */
async function end(dial: Dial, endReason: EndReason): Promise<Outcome> {
  return undialled(dial, await over(dial, endedAt(dial.now, endReason)));
}

const over = async ({ deps, callId, now }: Dial, facts: EndFacts): Promise<Outcome> => ({
  kind: 'over',
  callStatus: await endCallAs(deps, callId, facts, now),
});

async function waitForTrunk(dial: Dial, { waitMs }: Starts['paced']): Promise<Outcome | 'again'> {
  if (waitMs + dial.waitedMs > SHORT_WAIT_MS)
    return undialled(dial, { kind: 'paced', waitMs: Math.max(waitMs - TIMER_AHEAD_MS, 1) });
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  dial.waitedMs += waitMs;
  return 'again';
}

/** Waits again. The call ends once it has held its line without an agent for too long. */
async function waitForAgent(dial: Dial, { medium, grantedAt }: Starts['agentMissing']): Promise<Outcome> {
  const limitMs = medium === 'webrtc' ? DIAL_GIVE_UP_MS : AGENT_GIVE_UP_MS;
  if (dial.now - Date.parse(grantedAt) >= limitMs) return end(dial, 'carrier_unavailable');
  return { kind: 'unprepared', of: 'room' };
}

async function askRegistry(dial: Dial, { to }: Starts['askRegistry']): Promise<Outcome | 'again'> {
  const { deps, callId, now, input } = dial;
  const verdict = await registryVerdict(deps, { callId, phoneNumber: to, now }, input.prepared?.registry);
  if (verdict === 'slow') return { kind: 'unprepared', of: 'registry' };
  if (verdict === 'listed') return end(dial, 'dnd');
  if (verdict === 'unavailable') return undialled(dial, DND_UNVERIFIED);
  dial.guards.registryCleared = true;
  return 'again';
}

async function askRules(dial: Dial, question: calls.RulesQuestion): Promise<Outcome | 'again'> {
  const { ruleProfile, callbacks } = dial.deps.settings;
  const decision = decideDial(question, ruleProfile, dial.now);
  if (!decision.isAllowed) return refuse(dial, question, deferral(decision));
  dial.guards.numberHashes = numberHashes(callbacks.hashKeys, question.organizationId, question.to);
  dial.guards.decided = decidedRules(question, decision);
  dial.profiles = profilesOf(question, ruleProfile);
  return 'again';
}

/** Waits until the rules allow the dial. A dispatched call doesn't wait but ends. */
async function refuse(
  dial: Dial,
  { campaignId, isDispatch, dialUntil }: calls.RulesQuestion,
  deferral: calls.Deferral,
): Promise<Outcome> {
  const { deps, callId, now } = dial;
  const { until } = deferral;
  if (campaignId === null) {
    const isTooLate = until === null || (dialUntil !== null && until >= Date.parse(dialUntil));
    if (isDispatch || isTooLate) return end(dial, 'rules');
  }
  await signalWorkflows(deps.signals, deps.log, await calls.deferDial(deps.db, callId, deferral, now));
  if (campaignId === null && until !== null) return undialled(dial, { kind: 'notYet', at: until });
  return undialled(dial, { kind: 'over', callStatus: WITHOUT_ROW });
}

/** Handles LiveKit's rejection of our API key. */
async function keyRefused(dial: Dial): Promise<Outcome> {
  const held = await heldForSetup(dial.deps, dial.callId, 'carrier_key');
  return held === null ? UNAVAILABLE : pauseCampaign(dial, held);
}

async function pauseCampaign(dial: Dial, start: Starts['tripped']): Promise<Outcome> {
  // Pause the campaign before the line is handed over, because its next call would fail in the same way.
  await tripBreaker(dial.deps, start, dial.now);
  return returnLine(dial);
}

async function returnLine(dial: Dial): Promise<Outcome> {
  const { db, signals, log } = dial.deps;
  await signalWorkflows(signals, log, await calls.returnLine(db, dial.callId, dial.now));
  return undialled(dial, { kind: 'noLine' });
}

async function request(
  dial: Dial,
  start: Extract<calls.DialIntent, { medium: 'telephony' }>,
): Promise<Outcome> {
  const { deps, callId, profiles } = dial;
  const { db, telephony, settings } = deps;
  const { ringTimeoutS } = settings;
  const config = effectiveConfig(start.config, start.modifyAgent);
  const numbers = config.deployment.phone.call_type.Outbound;
  const rule = { ...settings, isNeeded: telephony.needsCallerId(callId), profiles };
  const { from, isRefused, campaign } = await shownOrHeld(db, { callId, start, numbers }, rule);
  if (isRefused && campaign !== undefined) {
    // Nothing was dialled. Pause the campaign and keep its contacts until the operator or the organization has corrected the setup.
    await calls.recordNotPlaced(db, callId, Date.parse(start.notAfter));
    return pauseCampaign(dial, {
      kind: 'tripped',
      ...campaign,
      breaker: { kind: 'no_number', prefixes: prefixesOf(profiles) },
    });
  }
  const asked = dialRequest(callId, start, {
    config,
    from,
    ringTimeoutS,
    disclosure: disclosureOf(profiles),
  });
  const answer: DialAnswer = isRefused ? { kind: 'refused', faults: 'from' } : await telephony.dial(asked);
  const notAfter = asked.notAfter.getTime();
  return answered(dial, answer, { from, notAfter, step: placed(ringTimeoutS, asked.maxTalkS) });
}

/** Opens a browser session, which needs neither trunk nor number. The participant joins it. */
async function openSession(dial: Dial, start: calls.DialIntent): Promise<Outcome> {
  const maxTalkS = maxTalkSeconds(effectiveConfig(start.config, start.modifyAgent));
  const answer = await dial.deps.telephony.createSession({ reference: dial.callId });
  return answered(dial, answer, {
    from: start.from,
    notAfter: Date.parse(start.notAfter),
    step: placed(LONGEST_JOIN_S, maxTalkS),
  });
}

async function answered(
  dial: Dial,
  answer: DialAnswer,
  { from, notAfter, step }: { from: string | null; notAfter: number; step: PlacedStep },
): Promise<Outcome> {
  const { deps, callId } = dial;
  const { db, log, metrics } = deps;
  if ('because' in answer && answer.because !== undefined) {
    metrics.dialRefused(answer.because);
    const held = await heldForSetup(deps, callId, answer.because);
    if (held !== null) {
      log.warn({ call_id: callId, ...answer }, 'the carrier rejected a call because of a setup fault');
      await calls.recordNotPlaced(db, callId, notAfter);
      return pauseCampaign(dial, held);
    }
  }
  switch (answer.kind) {
    case 'placed':
      return recordPlaced(dial, { carrierId: answer.carrierId, from: from ?? answer.from ?? null }, step);
    case 'notPlaced':
      await calls.recordNotPlaced(db, callId, notAfter);
      return undialled(dial, {
        ...UNAVAILABLE,
        retryAfterMs: answer.retryAfterMs,
        ...(answer.because === 'bridge_busy' && { isBridgeBusy: true }),
      });
    case 'invalidNumber':
      return end(dial, 'invalid_number');
    case 'refused':
      log.warn({ call_id: callId, faults: answer.faults }, 'the carrier rejected the request as invalid');
      return end(dial, 'request_refused');
    case 'unknown':
      return { kind: 'unknown', dialAgainAfterMs: LOOK_UP_AGAIN_MS };
    default:
      return assertNever(answer);
  }
}

/** Looks up whether an earlier run's intent led to a call. */
async function lookUp(dial: Dial, intent: Starts['requested']): Promise<Outcome> {
  const { deps, callId, now } = dial;
  const { db, telephony, clock, settings } = deps;
  const answer = await telephony.find(callId);
  const [found] = answer.calls;
  if (found !== undefined) {
    const carrier = { carrierId: found.carrierId, from: found.fromNumber ?? null };
    const step = await recordPlaced(dial, carrier, placed(settings.ringTimeoutS, LONGEST_TALK_S));
    return found.state === 'ended' ? over(dial, endFactsOf(found, now)) : step;
  }
  const notAfter = Date.parse(intent.notAfter);
  const isPast = (answer.carrierTime ?? clock() - CLOCK_MARGIN_MS) > notAfter + answer.lagMs;
  // Also check our own clock, because the carrier's clock may have been set forward.
  const waitedMs = now - Date.parse(intent.requestedAt);
  const hasWaited = waitedMs > TAKE_UP_MS + answer.lagMs + CLOCK_MARGIN_MS;
  if (isPast && hasWaited) {
    await calls.recordNotPlaced(db, callId, notAfter);
    // Return `unavailable`, so that the call ends if the carrier places nothing for a minute.
    return UNAVAILABLE;
  }
  const isLate = !hasWaited && waitedMs > 2 * LOOK_UP_SELDOM_MS;
  return { kind: 'unknown', dialAgainAfterMs: isLate ? LOOK_UP_SELDOM_MS : LOOK_UP_AGAIN_MS };
}

async function recordPlaced(
  { deps: { db, metrics, clock }, callId }: Dial,
  carrier: { carrierId: string; from: string | null },
  step: PlacedStep,
): Promise<PlacedStep> {
  const now = clock();
  const deadlineAt = now + step.deadlineMs;
  metrics.dialled(await calls.recordPlaced(db, callId, { ...carrier, deadlineAt }, now));
  return step;
}

type PlacedStep = Extract<DialStep, { kind: 'placed' }>;

const placed = (ringS: number, talkS: number): PlacedStep => ({
  kind: 'placed',
  deadlineMs: (ringS + talkS) * 1000 + DEADLINE_MARGIN_MS,
});

function dialRequest(
  reference: string,
  start: Extract<DialIntent, { medium: 'telephony' }>,
  {
    config,
    from,
    ringTimeoutS,
    disclosure,
  }: { config: ResolvedConfig; from: string | null; ringTimeoutS: number; disclosure: string },
): DialRequest {
  const { system_prompt: prompt, greeting_message: greeting } = config.persona.identity;
  return {
    reference,
    to: start.to,
    from,
    notAfter: new Date(start.notAfter),
    ringTimeoutS,
    maxTalkS: maxTalkSeconds(config),
    amd: config.experience.settings.call_settings.enable_voicemail_detection,
    agent: {
      name: start.agentName,
      greeting: [disclosure, greeting.agent_message].filter(Boolean).join(' '),
      prompt,
    },
    variables: templateVariables(config, start),
  };
}
