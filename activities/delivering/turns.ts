import { MAX_AT_ONCE } from '../../db/webhooks/turns';
import { Shares } from '../../runtime/shares';

/**
 * How many requests may be under way to one client's endpoint from this worker, and to all endpoints together. Receivers that keep us waiting
 * would else come to hold every slot that activities run in, five seconds each, and with them the webhooks and preparations of all others.
 */
export interface ReceiverTurns {
  /** What ends the turn, once the request is over; null while all turns are taken. */
  take(receiver: string): (() => void) | null;
}

/** A worker with few slots keeps as many places for the receivers of others. */
const mostOfOne = (inAll: number): number => Math.min(MAX_AT_ONCE, Math.max(1, Math.floor(inAll / 2)));

export function receiverTurns(inAll: number, ofOne = mostOfOne(inAll)): ReceiverTurns {
  const turns = new Shares({ most: inAll, mostOfOne: ofOne });
  return { take: (receiver) => turns.take(receiver) };
}

/** What one endpoint is known by: the client, and the scheme, host and port of its address. */
export const receiverOf = ({ clientId, url }: { clientId: string; url: string }): string =>
  `${clientId} ${originOf(url)}`;

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
