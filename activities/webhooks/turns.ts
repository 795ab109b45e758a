/**
 * How many requests may be under way to one client's endpoint from this worker. One that keeps us waiting would else come to hold every
 * slot that activities run in, five seconds each, and with them the calls and the webhooks of all others.
 */
export interface ReceiverTurns {
  /** What ends the turn, once the request is over; null while all turns are taken. */
  take(clientId: string, url: string): (() => void) | null;
}

export const MAX_AT_ONCE = 20;

export function receiverTurns(most = MAX_AT_ONCE): ReceiverTurns {
  const taken = new Map<string, number>();
  return {
    take(clientId, url) {
      const key = `${clientId} ${originOf(url)}`;
      const count = taken.get(key) ?? 0;
      if (count >= most) return null;
      taken.set(key, count + 1);
      return () => {
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
