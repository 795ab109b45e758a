import { endCall } from '../../db/call-engine';
import { applyProgress } from '../../db/call-events';
import type { Db } from '../../db/connection';
import { announce, type AnnounceLog, type SignalSender } from '../../workflows/announce';
import { assertNever } from '../../workflows/domain/assert-never';
import { callEndOf } from '../../workflows/domain/call-end';
import type { CarrierEvent } from './event';
import { ProgressBatch } from './progress-batch';

export interface CarrierEventDependencies {
  db: Db;
  /** Sends signals to workflows. What does not arrive is repeated by reconciliation. */
  signals: SignalSender;
  clock: { now(): number };
  log: AnnounceLog;
  settings: { creditsPerMinute: number };
}

export type EventAnswer = { accepted: true } | { accept: false; say: string };

/**
 * Applies an event and answers once it is committed. Events may come late, twice and out of order: none of that changes the result.
 * The end of a call frees its line and hands it to the next within the same transaction, and wakes both.
 */
export function eventReceiver({ db, signals, clock, log, settings }: CarrierEventDependencies) {
  const { creditsPerMinute } = settings;
  const progress = new ProgressBatch((events) =>
    applyProgress(db, events, { now: clock.now(), creditsPerMinute }),
  );

  async function receiveEnd(event: Extract<CarrierEvent, { type: 'ended' }>): Promise<void> {
    await progress.flush(event.reference);
    const facts = { endReason: event.endReason, endedAt: event.at, answeredBy: event.answeredBy };
    const end = callEndOf(facts, creditsPerMinute);
    const decision = await endCall(db, event.reference, end, clock.now());
    // Told before: by an event that came twice, or by one whose receiver died before it could announce anything.
    await announce(signals, log, {
      ...(decision ?? { granted: [], refillCampaignId: null }),
      ended: { callId: event.reference, callStatus: end.callStatus },
    });
  }

  return async function receive(event: CarrierEvent): Promise<EventAnswer> {
    switch (event.type) {
      case 'inbound':
        return { accept: false, say: 'This number does not take calls.' };
      case 'ended':
        await receiveEnd(event);
        return { accepted: true };
      case 'dialing':
      case 'ringing':
      case 'answered':
      case 'segment':
        await progress.add(event);
        return { accepted: true };
      default:
        return assertNever(event);
    }
  };
}
