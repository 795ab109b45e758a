/** How the clients' webhook endpoints of a run behave, by path. */
import type { ReceiverEntry } from '../../dev/receiver/log';

/** The status to answer: `/ok` takes all, `/flaky` refuses the first attempt of every other event, `/dead` refuses all. */
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

/** By the last digit of the event's id, so that the same event is treated the same whenever it comes. */
const isRefused = (eventId: string | null): boolean =>
  Number.parseInt(eventId?.slice(-1) ?? '0', 16) % 2 === 1;
