import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What becomes of requests for another protocol. */
export interface Upgrades {
  takes: (url: string) => boolean;
  /** The socket is the taker's from now on, refusals included. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Requests of which only those that somebody takes can be upgraded. Else Node, once it has a listener for upgrades, gives it all of them,
 * and their bodies are lost: some clients ask for HTTP/2 with every request, and expect an ordinary answer where it is not to be had.
 * Node 24 has an option for it.
 */
export function requestClass(takes: Upgrades['takes']): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare private asksForUpgrade: boolean | null;

    set upgrade(asks: boolean | null) {
      this.asksForUpgrade = asks;
    }

    get upgrade(): boolean | null {
      return this.asksForUpgrade === true && takes(this.url ?? '');
    }
  };
}
