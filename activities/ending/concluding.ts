import { activityInfo } from '@temporalio/activity';
import { requestAnalysis } from '../../db/calls/analyses';
import { applyProgress } from '../../db/calls/events';
import {
  concludeCall,
  loadEndedCall,
  type CallFindings,
  type Concluded,
  type Conclusion as ToConclude,
  type EndedCall,
} from '../../db/calls/conclusions';
import { callerNumber } from '../../domain/caller-number';
import { outcomeOf, type CallOutcome, type CallStatus } from '../../domain/call-outcome';
import { transcriptText, type TranscriptSegment } from '../../domain/transcript';
import { isWorthAsking, modelFindings } from '../../domain/analysis/model-findings';
import { analyse, type AnalysisInput } from '../../domain/transcript-analysis';
import { callEvent, type EventDraft } from '../../domain/webhook-events';
import { replacedTimes } from '../../runtime/observability/call-metrics';
import { signalWorkflows } from '../../runtime/signal-workflows';
import type { CallInput } from '../../workflows/contract';
import { callbackInput, requestedCallback } from './callbacks';
import { callTimeZone } from '../analysis/analysing';
import type { ActivityDependencies } from '../dependencies';
import type { BriefWait } from '../brief-waits';
import {
  ATTEMPT_MS,
  attemptBriefly,
  attemptInSlot,
  attemptWhenDue,
  beginAttempt,
  type DeliveryDependencies,
} from '../delivering/delivering';
import { effectiveConfig } from '../../domain/effective-config';
import { CarrierUnreachable, type CarrierCall } from '../telephony/port';

/** Number of attempts to get the transcript from the carrier. After that, the segments that events reported are used. */
const TRANSCRIPT_ATTEMPTS = 4;

/** Delay of reconciliation's first check that the call's workflow still runs. Most model answers arrive sooner. */
const FIRST_CHECK_MS = 60_000;

export interface Conclusion {
  /** Null if the call is not over, in which case nothing was done. */
  callStatus: CallStatus | null;
  /** Id of the delivery that a regular activity must continue. */
  undelivered: string | null;
  /** Delay until the next attempt of `undelivered`. */
  attemptAfterMs: number;
  callback: CallInput | null;
  /** The call is not concluded, because a language model must analyse it first. */
  toAnalyse: boolean;
}

const NOT_OVER: Conclusion = {
  callStatus: null,
  undelivered: null,
  attemptAfterMs: 0,
  callback: null,
  toAnalyse: false,
};

interface ConcludeInput {
  callId: string;
  now: number;
}

export function concludingActivities(deps: DeliveryDependencies) {
  return {
    /**
     * Processes a call that is over, writes its webhook once, and makes the first delivery attempt if the receiver is fast. Returns the
     * delivery to continue and the callback to start, if any.
     */
    async concludeCall({ callId, now }: ConcludeInput): Promise<Conclusion> {
      const ended = await endedCall(deps, callId, isLastAttempt);
      return ended === undefined ? NOT_OVER : saveAndDeliver(deps, ended, now);
    },
  };
}

/**
 * Works like `concludeCall`, unless a language model must analyse the call first. In that case, the workflow runs the model and then
 * concludes the call.
 */
export async function analyseOrConclude(
  deps: DeliveryDependencies,
  { callId, now }: ConcludeInput,
): Promise<Conclusion> {
  const ended = await endedCall(deps, callId, isLastAttempt);
  if (ended === undefined) return NOT_OVER;
  if (!isToAnalyse(deps, ended)) return saveAndDeliver(deps, ended, now);
  const { clock } = deps;
  const asked = { callId, segments: ended.segments, now: clock(), checkAt: clock() + FIRST_CHECK_MS };
  await requestAnalysis(deps.db, asked);
  return { ...NOT_OVER, callStatus: ended.call.callStatus, toAnalyse: true };
}

const isLastAttempt = (): boolean => activityInfo().attempt >= TRANSCRIPT_ATTEMPTS;

/** A finished call with everything that the events, the agent and the carrier have reported about it. */
interface Ended {
  call: EndedCall;
  segments: TranscriptSegment[];
  outcome: CallOutcome;
  /** The call was answered and isn't concluded yet. */
  isToProcess: boolean;
}

/**
 * Returns undefined if the call is not over. `doesWithoutCarrier` allows the segments from the events if the carrier is unreachable.
 * @throws CarrierUnreachable if they are not allowed
 */
export async function endedCall(
  deps: ActivityDependencies,
  callId: string,
  doesWithoutCarrier: () => boolean,
): Promise<Ended | undefined> {
  const call = await loadEndedCall(deps.db, callId);
  if (call === undefined) return undefined;
  const outcome = outcomeOf(call.endReason, call.answeredBy);
  const isToProcess = outcome.answered && call.concludedAt === null;
  const transcribed =
    isToProcess && !call.isAsked
      ? await completed(deps, call, doesWithoutCarrier)
      : { call, segments: call.segments };
  return { ...transcribed, outcome, isToProcess };
}

const isToAnalyse = (
  { model }: ActivityDependencies,
  { call, segments, outcome, isToProcess }: Ended,
): boolean => isToProcess && model !== null && isWorthAsking(analysisInput(call, segments, outcome));

type Findings = Pick<ToConclude, 'findings' | 'callback'> & {
  webhook: { url: string; draft: EventDraft } | null;
};

/** Returns the findings to write (from the model's answer or the built-in rules), the webhook and the callback. */
export function findingsOf(
  deps: ActivityDependencies,
  { call, segments, outcome }: Ended,
  now: number,
): Findings {
  const found = outcome.answered ? analysed(deps, call, analysisInput(call, segments, outcome)) : null;
  const concludedAt = Math.max(now, deps.clock());
  const draft = webhookOf(call, segments, found, outcome, concludedAt);
  const url = call.perCallWebhookUrl;
  return {
    findings: found && found.findings,
    webhook: url === null || draft === null ? null : { url, draft },
    callback:
      found?.findings.callbackRequested === true
        ? requestedCallback(deps, call, segments, { now: concludedAt, at: found.callbackAt })
        : null,
  };
}

type Saved = Pick<Concluded, 'delivery' | 'slot' | 'isFirst'> & { callback: CallInput | null };

/** Concludes the call. For up to `attemptMs`, no other process makes the webhook's first attempt. */
export async function saveFindings(
  deps: ActivityDependencies,
  { call, segments, isToProcess }: Ended,
  { webhook, ...found }: Findings,
  attemptMs = 0,
): Promise<Saved> {
  const { db, signals, log, clock, metrics } = deps;
  const now = clock();
  const { callback, wakeCampaignId, ...saved } = await concludeCall(db, {
    ...found,
    callId: call.callId,
    segments,
    callerNumber: callerNumber(call.fromNumber),
    webhook: webhook && { ...webhook, attemptAt: now + attemptMs },
    now,
  });
  if (saved.isFirst) metrics.processed((clock() - call.endedAt.getTime()) / 1000);
  if (isToProcess && found.findings !== null) metrics.analysed(found.findings.method);
  if (wakeCampaignId !== null)
    await signalWorkflows(signals, log, { granted: [], refillCampaignId: wakeCampaignId });
  return { ...saved, callback: callback && callbackInput(deps, call, callback) };
}

async function saveAndDeliver(deps: DeliveryDependencies, ended: Ended, now: number): Promise<Conclusion> {
  const { callStatus, organizationId } = ended.call;
  const found = findingsOf(deps, ended, now);
  const wait = found.webhook && beginAttempt(deps, { organizationId, url: found.webhook.url });
  try {
    // The delivery attempt can outlive this activity, so reserve it for ATTEMPT_MS.
    const { callback, ...saved } = await saveFindings(deps, ended, found, wait === null ? 0 : ATTEMPT_MS);
    return { ...NOT_OVER, callStatus, callback, ...(await firstAttempt(deps, wait, saved)) };
  } finally {
    wait?.end();
  }
}

/** Makes the first attempt if a brief wait for the receiver has begun. Returns what remains of the delivery. */
async function firstAttempt(
  deps: DeliveryDependencies,
  wait: BriefWait | null,
  { delivery, slot, isFirst }: Omit<Saved, 'callback'>,
): Promise<Pick<Conclusion, 'undelivered' | 'attemptAfterMs'>> {
  if (delivery === null) return { undelivered: null, attemptAfterMs: 0 };
  if (wait === null) return { undelivered: delivery.id, attemptAfterMs: 0 };
  const { isOver, nextAttemptMs } = await attemptBriefly(wait, () =>
    // Another process may have concluded the call at the same time and made the attempt.
    isFirst ? attemptInSlot(deps, delivery, slot) : attemptWhenDue(deps, delivery.id),
  );
  return { undelivered: isOver ? null : delivery.id, attemptAfterMs: nextAttemptMs ?? 0 };
}

/** Completes the record from the carrier before the webhook is written, because events can be late or lost. */
async function completed(
  deps: ActivityDependencies,
  call: EndedCall,
  doesWithoutCarrier: () => boolean,
): Promise<Pick<Ended, 'call' | 'segments'>> {
  const { db, clock, settings } = deps;
  const found = await carrierRecord(deps, call, doesWithoutCarrier);
  if (found === undefined) return { call, segments: call.segments };
  const segments = found.transcript.length >= call.segments.length ? found.transcript : call.segments;
  if (call.answeredAt !== null || found.answeredAt === null) return { call, segments };
  const { callId: reference } = call;
  const { carrierId, dialingAt, ringingAt, answeredAt } = found;
  const answeredBy = found.answeredBy ?? 'unknown';
  await applyProgress(
    db,
    [
      ...(dialingAt === null ? [] : [{ reference, carrierId, type: 'dialing' as const, at: dialingAt }]),
      ...(ringingAt === null ? [] : [{ reference, carrierId, type: 'ringing' as const, at: ringingAt }]),
      { reference, carrierId, type: 'answered' as const, at: answeredAt, answeredBy },
    ],
    { now: clock(), creditsPerMinute: settings.creditsPerMinute, onReplacedTime: replacedTimes(deps) },
  );
  return { call: (await loadEndedCall(db, reference)) ?? call, segments };
}

/** Returns the carrier's record of a call that is over, or undefined if the carrier is unreachable. */
async function carrierRecord(
  { telephony, log }: ActivityDependencies,
  call: EndedCall,
  doesWithoutCarrier: () => boolean,
): Promise<CarrierCall | undefined> {
  try {
    const { calls } = await telephony.find(call.callId);
    return calls.find(({ carrierId }) => carrierId === call.carrierId);
  } catch (error) {
    if (!(error instanceof CarrierUnreachable)) throw error;
    if (!doesWithoutCarrier()) throw error;
    log.warn({ call_id: call.callId }, 'no transcript from the carrier: using the segments of its events');
    return undefined;
  }
}

const analysisInput = (
  call: EndedCall,
  segments: readonly TranscriptSegment[],
  { callStatus }: CallOutcome,
): AnalysisInput => ({
  segments,
  answeredBy: call.answeredBy,
  callStatus,
  config: effectiveConfig(call.agentConfig, call.modifyAgent).analysis,
  measured: call.usage,
  ...(call.callback !== null && { callback: call.callback }),
});

function analysed(
  deps: ActivityDependencies,
  call: EndedCall,
  input: AnalysisInput,
): { findings: CallFindings; callbackAt: number | null } {
  const { modelAnswer } = call;
  const analysis =
    modelAnswer === null
      ? analyse(input)
      : modelFindings(modelAnswer, input, { timeZone: callTimeZone(deps, call) });
  const { callbackAt, ...findings } = analysis;
  const method = modelAnswer === null ? 'rules' : 'model';
  return { findings: { ...findings, method }, callbackAt };
}

/** Returns null for a call that has no campaign or was not dialled. */
function webhookOf(
  call: EndedCall,
  segments: TranscriptSegment[],
  found: { findings: CallFindings } | null,
  outcome: CallOutcome,
  now: number,
): EventDraft | null {
  const findings = found && found.findings;
  if (outcome.event === null || call.campaignId === null || call.requestedAt === null) return null;
  return callEvent(
    outcome.event,
    {
      ...call,
      campaignId: call.campaignId,
      campaignName: call.campaignName ?? '',
      contactName: call.name ?? '',
      toNumber: call.toNumber ?? '',
      attempt: call.attempt ?? 1,
      maxAttempts: call.maxAttempts ?? 1,
      outcome: findings?.outcome ?? null,
      tags: findings?.tags ?? [],
      transcript: findings === null ? '' : transcriptText(segments),
      summary: findings?.summary ?? '',
      doNotCall: findings?.doNotCall ?? false,
    },
    now,
  );
}
