import { activityInfo } from '@temporalio/activity';
import { requestAnalysis } from '../../db/calls/analyses';
import { applyProgress } from '../../db/calls/events';
import { loadEndedCall, saveConclusion, type CallFindings, type EndedCall } from '../../db/calls/conclusions';
import { callerNumber } from '../../domain/caller-number';
import { outcomeOf, type CallOutcome, type CallStatus } from '../../domain/call-outcome';
import { transcriptText, type TranscriptSegment } from '../../domain/transcript';
import { isWorthAsking, modelFindings } from '../../domain/analysis/model-findings';
import { analyse, type AnalysisInput } from '../../domain/transcript-analysis';
import { callEvent, type EventDraft } from '../../domain/webhook-events';
import { replacedTimes } from '../../runtime/observability/replaced-times';
import { signalWorkflows } from '../../runtime/signal-workflows';
import type { PendingDelivery } from '../../db/webhooks/deliveries';
import type { ReceiverSlot } from '../../db/webhooks/receiver-slots';
import type { CallInput } from '../../workflows/contract';
import { callbackInput, requestedCallback } from './callbacks';
import { callTimeZone } from '../analysis/call-time-zone';
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

/** Attempts to get the transcript from the carrier before the events' segments are used. */
const TRANSCRIPT_ATTEMPTS = 4;

/** Long enough for most answers of a model. Then reconciliation checks that the call's workflow still runs. */
const FIRST_LOOK_MS = 60_000;

export interface Conclusion {
  /** Null if the call is not over. Nothing was done then. */
  callStatus: CallStatus | null;
  /** Id of the delivery that a regular activity must continue. */
  undelivered: string | null;
  /** Time until the next attempt of `undelivered`. */
  attemptAfterMs: number;
  callback: CallInput | null;
  /** The call is not concluded, because a language model must analyse it first. */
  toAnalyse: boolean;
}

export interface ConcludeInput {
  callId: string;
  now: number;
  /** The workflow can run a language model and then conclude the call again. */
  mayAnalyse: boolean;
  /** Skips the first delivery attempt, because reconciliation has many calls to conclude. */
  leavesDelivery?: boolean;
  /** Does without an unreachable carrier at once, instead of after several attempts of the activity. */
  goesWithoutCarrier?: boolean;
}

const NOT_OVER: Conclusion = {
  callStatus: null,
  undelivered: null,
  attemptAfterMs: 0,
  callback: null,
  toAnalyse: false,
};

export function concludingActivities(deps: DeliveryDependencies) {
  const { db, signals, log, clock, metrics } = deps;
  return {
    /**
     * Processes a call that is over, writes its webhook once, and makes the first delivery attempt if the receiver is fast. Returns an unfinished
     * delivery and a callback to start.
     */
    async concludeCall(input: ConcludeInput): Promise<Conclusion> {
      const { callId, now, mayAnalyse, leavesDelivery = false, goesWithoutCarrier = false } = input;
      const ended = await loadEndedCall(db, callId);
      if (ended === undefined) return NOT_OVER;
      const { callStatus } = ended;
      const outcome = outcomeOf(ended.endReason, ended.answeredBy);
      const isToProcess = outcome.answered && ended.concludedAt === null;
      const { call, segments } =
        isToProcess && !ended.isAsked
          ? await completed(deps, ended, goesWithoutCarrier)
          : { call: ended, segments: ended.segments };
      const analysed = analysisInput(call, segments, outcome);
      if (isToProcess && mayAnalyse && deps.model !== null && isWorthAsking(analysed)) {
        const asked = { callId, segments, now: clock(), lookAt: clock() + FIRST_LOOK_MS };
        await requestAnalysis(db, asked);
        return { ...NOT_OVER, callStatus, toAnalyse: true };
      }
      const found = outcome.answered ? findingsOf(deps, call, analysed) : null;
      const { campaignId, organizationId, perCallWebhookUrl: url } = call;
      const concludedAt = Math.max(now, clock());
      const draft = webhookOf(call, segments, found, outcome, concludedAt);
      const webhook = url === null || draft === null ? null : { url, draft };
      const wait =
        webhook === null || leavesDelivery ? null : beginAttempt(deps, { organizationId, url: webhook.url });
      try {
        const savedAt = clock();
        const { delivery, slot, isFirst, callback, wakeCampaignId } = await saveConclusion(db, {
          callId,
          organizationId,
          campaignId,
          findings: found && found.findings,
          segments,
          callerNumber: callerNumber(call.fromNumber),
          // Reserve the first attempt for this worker, in which it may continue after this activity.
          webhook: webhook && { ...webhook, attemptAt: savedAt + (wait === null ? 0 : ATTEMPT_MS) },
          callback:
            found?.findings.callbackRequested === true
              ? requestedCallback(deps, call, segments, { now: concludedAt, at: found.callbackAt })
              : null,
          now: savedAt,
        });
        if (isFirst) metrics.processed((clock() - ended.endedAt.getTime()) / 1000);
        if (isToProcess && found !== null) metrics.analysed(found.findings.method);
        if (wakeCampaignId !== null) {
          await signalWorkflows(signals, log, { granted: [], refillCampaignId: wakeCampaignId });
        }
        return {
          ...NOT_OVER,
          callStatus,
          callback: callback && callbackInput(deps, call, callback),
          ...(await firstAttempt(deps, delivery, wait, { isOurs: isFirst, slot })),
        };
      } finally {
        wait?.end();
      }
    },
  };
}

/** Makes the first attempt if a brief wait for the receiver has begun, and returns what is left of the delivery. */
async function firstAttempt(
  deps: DeliveryDependencies,
  delivery: PendingDelivery | null,
  wait: BriefWait | null,
  { isOurs, slot }: { isOurs: boolean; slot: ReceiverSlot | null },
): Promise<Pick<Conclusion, 'undelivered' | 'attemptAfterMs'>> {
  if (delivery === null) return { undelivered: null, attemptAfterMs: 0 };
  if (wait === null) return { undelivered: delivery.id, attemptAfterMs: 0 };
  const { settled, nextAttemptMs } = await attemptBriefly(wait, () =>
    // Another process may have concluded the call at the same time and made the attempt.
    isOurs ? attemptInSlot(deps, delivery, slot) : attemptWhenDue(deps, delivery.id),
  );
  return { undelivered: settled ? null : delivery.id, attemptAfterMs: nextAttemptMs ?? 0 };
}

/** Completes the record from the carrier before the webhook is written, because events may be late or lost. */
async function completed(
  deps: ActivityDependencies,
  call: EndedCall,
  goesWithoutCarrier: boolean,
): Promise<{ call: EndedCall; segments: TranscriptSegment[] }> {
  const { db, clock, settings } = deps;
  const found = await carrierRecord(deps, call, goesWithoutCarrier);
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
  goesWithoutCarrier: boolean,
): Promise<CarrierCall | undefined> {
  try {
    const { calls } = await telephony.find(call.callId);
    return calls.find(({ carrierId }) => carrierId === call.carrierId);
  } catch (error) {
    if (!(error instanceof CarrierUnreachable)) throw error;
    if (!goesWithoutCarrier && activityInfo().attempt < TRANSCRIPT_ATTEMPTS) throw error;
    log.warn({ call_id: call.callId }, 'no transcript from the carrier: using the segments of its events');
    return undefined;
  }
}

export const analysisInput = (
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

function findingsOf(
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

/** Returns null for a call without a campaign or without a dial. */
function webhookOf(
  call: EndedCall,
  segments: TranscriptSegment[],
  found: { findings: CallFindings } | null,
  outcome: CallOutcome,
  now: number,
): EventDraft | null {
  const findings = found && found.findings;
  if (outcome.event === null || call.campaignId === null || call.askedAt === null) return null;
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
