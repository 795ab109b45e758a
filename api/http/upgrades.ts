import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Handles requests for another protocol. */
export interface Upgrades {
  takes: (url: string) => boolean;
  /** Takes over the socket, even if it then refuses the request. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Returns a request class whose `upgrade` is true only for paths that `takes` accepts. Node would otherwise drop the bodies of all other
 * upgrade requests, but some clients offer HTTP/2 with every request and expect a normal response. Node 24 has an option for this.
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
