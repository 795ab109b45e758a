import { endCall } from '../../../db/calls/ends';
import {
  applyProgress,
  believedTime,
  type OnReplacedTime,
  type ProgressEvent,
} from '../../../db/calls/events';
import { markOrphaned } from '../../../db/calls/orphaned-calls';
import { recordCallbackWish, recordUsage } from '../../../db/calls/reports';
import { Batches } from '../../../db/kernel/batches';
import type { Db } from '../../../db/kernel/connection';
import { timestamp } from '../../../db/kernel/query';
import { assertNever } from '../../../domain/assert-never';
import { callEndOf } from '../../../domain/call-end';
import type { LiveUpdate } from '../../../domain/live-updates';
import { ORPHANED } from '../../../domain/orphaned-call';
import { costOf, type Rates } from '../../../domain/usage-cost';
import { type CallMetrics, replacedTimes } from '../../../runtime/observability/call-metrics';
import { signalWorkflows, type SignalLog, type SignalSender } from '../../../runtime/signal-workflows';
import { alsoConcerns } from '../../http/log';
import type { CarrierEvent } from './event';
import { receiveCaller, type CallerAnswer, type CallerDependencies } from './receive-caller';

/** An answered call sends about nine events. A statement for each would be half of the database's work. */
const GATHER_MS = 500;
/** Delay for a call with listeners. */
const SOON_MS = 50;
/** Batches run one after another, so they never wait for each other's row locks. */
const BATCHES = { atOnce: 1, items: 500, gatherMs: GATHER_MS };

export interface CarrierEventDependencies extends CallerDependencies {
  db: Db;
  /** Signals workflows. Reconciliation repeats lost signals. */
  signals: SignalSender;
  /** `dialled` reports that the call was dialled. */
  dials: { dialled(callId: string): void };
  clock: { now(): number };
  log: SignalLog;
  metrics: CallMetrics;
  settings: CallerDependencies['settings'] & {
    creditsPerMinute: number;
    usageRates: Rates;
    ringTimeoutS: number;
  };
  /** Listeners of live captions. `take` returns false if the call has none. */
  liveUpdates: {
    isWanted(callId: string): boolean;
    take(callId: string, updates: readonly LiveUpdate[]): boolean;
  };
}

const progressBatches = (
  { db, clock, settings }: CarrierEventDependencies,
  onReplacedTime: OnReplacedTime,
): Batches<ProgressEvent, void> =>
  new Batches<ProgressEvent, void>(
    async (events) => {
      const { creditsPerMinute } = settings;
      await applyProgress(db, events, { now: clock.now(), creditsPerMinute, onReplacedTime });
      return events.map(() => undefined);
    },
    { ...BATCHES, senderOf: ({ reference }) => reference },
  );

/** `wanted` is part of the response to live updates. If false, the sender stops sending them. */
export type EventAnswer = { accepted: true; wanted?: boolean } | CallerAnswer;

/**
 * Applies an event and responds once it is committed. Late, repeated or reordered events don't change the result. The end of a call grants
 * its line to the next call in the same transaction and signals both.
 */
export function eventReceiver(deps: CarrierEventDependencies) {
  const { db, signals, dials, clock, log, metrics, settings, liveUpdates } = deps;
  const { creditsPerMinute } = settings;
  const onReplacedTime = replacedTimes(deps);
  const progress = progressBatches(deps, onReplacedTime);

  const isOf =
    (callId: string) =>
    ({ reference }: ProgressEvent): boolean =>
      reference === callId;

  /**
   * Takes the pending events of the call along, because its end must not overtake them. Events that can't be stored report their own error.
   */
  async function receiveEnd(event: Extract<CarrierEvent, { type: 'ended' }>): Promise<void> {
    const { reference, at: endedAt, noAudio = false, ...facts } = event;
    const end = callEndOf({ ...facts, endedAt, noAudio }, creditsPerMinute);
    const decision = await progress.runWith(isOf(reference), (events) =>
      endCall(db, reference, end, clock.now(), { events, onReplacedTime }),
    );
    if (decision !== null) metrics.callEnded(end);
    // Signal even if the call was already over: an earlier process may have died after its commit.
    await signalWorkflows(signals, log, {
      ...(decision ?? { granted: [], refillCampaignId: null }),
      ended: { callId: event.reference, callStatus: end.callStatus },
    });
  }

  async function receiveLoss({ reference, at, by }: Extract<CarrierEvent, { type: 'lost' }>): Promise<void> {
    await progress.flush(isOf(reference));
    const known = { by, now: clock.now(), ringTimeoutMs: settings.ringTimeoutS * 1000, onReplacedTime };
    const since = at === null ? {} : { since: Date.parse(at) };
    const keptUntil = await markOrphaned(db, reference, { ...known, ...since });
    if (keptUntil === null) return;
    log.warn({ call_id: reference, line_kept_until: new Date(keptUntil).toISOString() }, ORPHANED);
  }

  return async function receive(event: CarrierEvent): Promise<EventAnswer> {
    if (event.type !== 'inbound') {
      alsoConcerns({ call_id: event.reference });
      dials.dialled(event.reference);
    }
    switch (event.type) {
      case 'inbound':
        return receiveCaller(deps, event.caller);
      case 'usage':
      case 'callback':
        await receiveReport(deps, event, onReplacedTime);
        return { accepted: true };
      case 'ended':
        await receiveEnd(event);
        return { accepted: true };
      case 'lost':
        await receiveLoss(event);
        return { accepted: true };
      case 'dialing':
      case 'ringing':
      case 'answered':
      case 'segment':
        await progress.add(event, liveUpdates.isWanted(event.reference) ? SOON_MS : GATHER_MS);
        return { accepted: true };
      case 'live':
        return { accepted: true, wanted: liveUpdates.take(event.reference, event.updates) };
      default:
        return assertNever(event);
    }
  };
}

/**
 * Stores a report immediately instead of in a batch, because each call sends only one of each kind. Model usage is priced at current rates.
 */
async function receiveReport(
  { db, clock, settings }: CarrierEventDependencies,
  report: Extract<CarrierEvent, { type: 'usage' | 'callback' }>,
  onReplacedTime: OnReplacedTime,
): Promise<void> {
  const { reference: callId, type } = report;
  const believed = await believedTime(db, callId, { reportedAt: report.at, now: clock.now() });
  if (believed === undefined) return;
  if (believed.isReplaced) onReplacedTime({ callId, type });
  const reportedAt = timestamp(believed.at);
  if (report.type === 'callback') {
    const { callbackAt } = report;
    const wish = { at: callbackAt === null ? null : Date.parse(callbackAt), reportedAt };
    return recordCallbackWish(db, callId, wish);
  }
  const { responseMs, interruptions } = report;
  const models = report.models.map((model) => ({
    ...model,
    purpose: 'conversation' as const,
    cost: costOf(model, settings.usageRates),
  }));
  await recordUsage(db, callId, { models, responseMs, interruptions }, reportedAt);
}
