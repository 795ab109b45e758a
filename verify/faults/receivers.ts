/** Defines how a run's webhook receivers respond, by path. */
import type { ReceiverEntry } from '../../dev/receiver/log';

/** Returns the status: `/ok` accepts all, `/flaky` rejects the first attempt of every other event, `/dead` rejects all. */
export function answerOf({ path, event_id: eventId, attempt }: Omit<ReceiverEntry, 'status'>): number {
  switch (path) {
    case '/dead':
      return 500;
    case '/flaky':
      return (attempt ?? 1) === 1 && isRefused(eventId) ? 500 : 200;
    default:
      return 200;
  }
}

/** Decides by the last digit of the event id, so that every attempt of an event is treated the same. */
const isRefused = (eventId: string | null): boolean =>
  Number.parseInt(eventId?.slice(-1) ?? '0', 16) % 2 === 1;
