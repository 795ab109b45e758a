import { isoOf, type CancelTimer, type Clock } from './clock';
import type { SimulatorLog } from './log';
import type { Poster } from './post';
import type { EventType } from './protocol';
import { hashUnit } from './spread';

export interface EventMessage {
  /** The same in every attempt and copy. */
  eventId: string;
  type: EventType;
  carrierId: string;
  reference: string | null;
  url: string;
  body: string;
  /** 2 where the script says that every event comes twice. */
  copies: 1 | 2;
  /** Repeatable seed of each copy's delay; null sends at once. */
  shuffleSeed: string | null;
  /** The receiver's answer to the accepted attempt. */
  onAnswer?: (body: string) => void;
  /** All attempts have failed. */
  onGivenUp?: () => void;
}

/** How far a copy of an event came before a restart. */
export interface Progress {
  attempts: number;
  accepted: boolean;
}

export const progressKey = (eventId: string, copy: number): string => `${eventId}#${copy}`;

export interface EventSender {
  /** Starts the first attempt in this very turn unless shuffled: events of a call leave in order, none waits for an answer. */
  send(message: EventMessage, earlier?: ReadonlyMap<string, Progress>): void;
  close(): void;
}

export interface EventSenderOptions {
  clock: Clock;
  log: SimulatorLog;
  poster: Poster;
  /** Delay before each attempt after the first, from the end of the one before. */
  retryDelaysMs: readonly number[];
  shuffleMs: number;
}

export function createEventSender(options: EventSenderOptions): EventSender {
  const { clock, log, poster, retryDelaysMs, shuffleMs } = options;
  const timers = new Set<CancelTimer>();
  let closed = false;

  const later = (delayMs: number, run: () => void): void => {
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  };

  const attempt = async (message: EventMessage, copy: number, number: number): Promise<void> => {
    const startedAtMs = clock.nowMs();
    const answer = await poster.post(message.url, message.body);
    if (closed) return;
    const accepted = answer.status !== null && answer.status >= 200 && answer.status < 300;
    // The decision before its record: killed between the two, the event is sent again rather than its answer lost.
    if (accepted) message.onAnswer?.(answer.body);
    log.write({
      kind: 'event',
      at: isoOf(startedAtMs),
      event_id: message.eventId,
      carrier_id: message.carrierId,
      reference: message.reference,
      type: message.type,
      copy,
      attempt: number,
      status: answer.status,
      duration_ms: clock.nowMs() - startedAtMs,
    });
    if (accepted) return;
    const delayMs = retryDelaysMs[number - 1];
    if (delayMs === undefined) message.onGivenUp?.();
    else later(delayMs, () => void attempt(message, copy, number + 1));
  };

  const sendCopy = (message: EventMessage, copy: number, done: Progress | undefined): void => {
    if (done?.accepted === true) return;
    const number = (done?.attempts ?? 0) + 1;
    if (number > retryDelaysMs.length + 1) message.onGivenUp?.();
    else if (message.shuffleSeed === null) void attempt(message, copy, number);
    else {
      const delayMs = Math.floor(hashUnit(`${message.shuffleSeed}:${copy}`) * shuffleMs);
      later(delayMs, () => void attempt(message, copy, number));
    }
  };

  return {
    send(message, earlier) {
      for (let copy = 0; copy < message.copies; copy += 1) {
        sendCopy(message, copy, earlier?.get(progressKey(message.eventId, copy)));
      }
    },
    close() {
      closed = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
