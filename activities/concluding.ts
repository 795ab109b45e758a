import { activityInfo } from '@temporalio/activity';
import { applyProgress } from '../db/call-events';
import {
  loadEndedCall,
  saveConclusion,
  type CallFindings,
  type EndedCall,
  type TranscriptSegment,
} from '../db/conclusions';
import {
  outcomeOf,
  type AnsweredBy,
  type CallOutcome,
  type EndReason,
} from '../workflows/domain/call-outcome';
import { transcriptText } from '../workflows/domain/transcript';
import { analyse } from '../workflows/domain/transcript-analysis';
import { callEvent, type EventDraft } from '../workflows/domain/webhook-events';
import { announce } from '../workflows/announce';
import type { CallInput } from '../workflows/contract';
import { callbackInput, requestedCallback } from './callbacks';
import type { ActivityDependencies } from './dependencies';
import { attemptInTurn, attemptWhenDue, type DeliveryDependencies } from './delivering';
import { effectiveConfig } from '../workflows/domain/effective-config';
import { CarrierUnreachable, type CarrierCall } from './telephony/port';

/** How often the carrier is asked for the transcript before what came as events has to do. */
const TRANSCRIPT_TRIES = 4;

export interface Conclusion {
  undelivered: string | null;
  callback: CallInput | null;
}

export function concludingActivities(deps: DeliveryDependencies) {
  const { db, signals, log, clock, metrics } = deps;
  return {
    /**
     * Processes a call that is over and writes its webhook down, once; then makes the delivery's first attempt, as nearly all are
     * accepted. Answers the delivery that is left to make, and the call to start for a callback that no campaign makes.
     */
    async concludeCall({
      callId,
      now,
      leavesDelivery = false,
    }: {
      callId: string;
      now: number;
      /** Makes no attempt: for a caller who has many calls to see to, and no five seconds for each. */
      leavesDelivery?: boolean;
    }): Promise<Conclusion> {
      const ended = await loadEndedCall(db, callId);
      if (ended === undefined) return { undelivered: null, callback: null };
      const outcome = outcomeOf(ended.endReason as EndReason, ended.answeredBy as AnsweredBy | null);
      const { call, segments } =
        outcome.answered && ended.concludedAt === null
          ? await completed(deps, ended)
          : { call: ended, segments: ended.segments };
      const findings = outcome.answered ? findingsOf(call, segments, outcome) : null;
      const { campaignId, perCallWebhookUrl: url } = call;
      const concludedAt = Math.max(now, clock());
      const draft = webhookOf(call, segments, findings, outcome, concludedAt);
      const { delivery, callback, wakeCampaignId } = await saveConclusion(db, {
        callId,
        clientId: call.clientId,
        campaignId,
        findings,
        segments,
        webhook: url === null || draft === null ? null : { url, draft },
        callback:
          findings?.callbackRequested === true ? requestedCallback(deps, call, segments, concludedAt) : null,
        now: clock(),
      });
      if (ended.concludedAt === null) metrics.processed((clock() - ended.endedAt.getTime()) / 1000);
      if (wakeCampaignId !== null) {
        await announce(signals, log, { granted: [], refillCampaignId: wakeCampaignId });
      }
      const next = callback && callbackInput(deps, call, callback);
      if (delivery === null) return { undelivered: null, callback: next };
      if (leavesDelivery) return { undelivered: delivery.id, callback: next };
      // Nobody else knows of a delivery that was written just now.
      const { settled } = await (ended.concludedAt === null
        ? attemptInTurn(deps, delivery)
        : attemptWhenDue(deps, delivery.id));
      return { undelivered: settled ? null : delivery.id, callback: next };
    },
  };
}

/** Events come late or not at all: the record is completed from the carrier before anybody is told. */
async function completed(
  deps: ActivityDependencies,
  call: EndedCall,
): Promise<{ call: EndedCall; segments: TranscriptSegment[] }> {
  const { db, clock, settings } = deps;
  const found = await carrierRecord(deps, call);
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
    { now: clock(), creditsPerMinute: settings.creditsPerMinute },
  );
  return { call: (await loadEndedCall(db, reference)) ?? call, segments };
}

/** What the carrier has of a call that is over. Undefined where it cannot be asked. */
async function carrierRecord(
  { telephony, log }: ActivityDependencies,
  call: EndedCall,
): Promise<CarrierCall | undefined> {
  try {
    const { calls } = await telephony.find(call.callId);
    return calls.find(({ carrierId }) => carrierId === call.carrierId);
  } catch (error) {
    if (!(error instanceof CarrierUnreachable)) throw error;
    if (activityInfo().attempt < TRANSCRIPT_TRIES) throw error;
    log.warn({ call_id: call.callId }, 'the carrier gave no transcript: using what its events told');
    return undefined;
  }
}

function findingsOf(call: EndedCall, segments: TranscriptSegment[], outcome: CallOutcome): CallFindings {
  const analysis = analyse({
    segments,
    answeredBy: call.answeredBy,
    callStatus: outcome.callStatus,
    config: effectiveConfig(call.agentConfig, call.modifyAgent).analysis ?? {},
  });
  return { ...analysis, quality: { ...analysis.quality } };
}

/** Null for a dispatched call, and for one that was never dialled. */
function webhookOf(
  call: EndedCall,
  segments: TranscriptSegment[],
  findings: CallFindings | null,
  outcome: CallOutcome,
  now: number,
): EventDraft | null {
  if (outcome.event === null || call.campaignId === null || call.askedAt === null) return null;
  return callEvent(
    outcome.event,
    {
      ...call,
      campaignId: call.campaignId,
      campaignName: call.campaignName ?? '',
      contactName: call.name ?? '',
      contactPhone: call.toNumber ?? '',
      attempt: call.attempt ?? 1,
      maxAttempts: call.maxAttempts ?? 1,
      outcome: findings?.outcome ?? null,
      tags: findings?.tags ?? [],
      transcript: findings === null ? '' : transcriptText(segments),
      summary: findings?.summary ?? '',
    },
    now,
  );
}
