import { isoOf, type CancelTimer, type Clock } from './clock';
import type { SimulatorLog } from './log';
import type { Poster } from './post';
import type { EventType } from './protocol';
import { hashUnit } from './spread';

export interface EventMessage {
  /** The same for all attempts and copies. */
  eventId: string;
  type: EventType;
  carrierId: string;
  reference: string | null;
  url: string;
  body: string;
  /** 2 if the number's script sends every event twice. */
  copies: 1 | 2;
  /** Seed for the delay of each copy, which makes delays repeatable; null sends immediately. */
  shuffleSeed: string | null;
  /** Called with the receiver's response to the attempt that it accepted. */
  onAnswer?: (body: string) => void;
  /** Called when all attempts have failed. */
  onGivenUp?: () => void;
}

/** How far the sender had got with one copy of an event before a restart. */
export interface Progress {
  attempts: number;
  accepted: boolean;
}

export const progressKey = (eventId: string, copy: number): string => `${eventId}#${copy}`;

export interface EventSender {
  /**
   * Starts the first attempt synchronously unless the event is shuffled. A call's events are therefore sent in order, without waiting for
   * responses.
   */
  send(message: EventMessage, earlier?: ReadonlyMap<string, Progress>): void;
  close(): void;
}

export interface EventSenderOptions {
  clock: Clock;
  log: SimulatorLog;
  poster: Poster;
  /** Delays before each attempt after the first, counted from the end of the previous attempt. */
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
    // Applies the decision before logging it. If the process dies in between, the event is sent again and the response isn't lost.
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
