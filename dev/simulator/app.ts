/**
 * A telephony carrier that speaks the carrier protocol and takes its script from the number dialled.
 * Call: what one accepted POST places. Step: what happens to it next. Event: what the platform is sent about it.
 */
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from './clock';
import { Counters, type Stats } from './counters';
import { createEventSender } from './event-sender';
import { Exchange } from './exchange';
import { replayLog } from './history';
import { openSimulatorLog, readSimulatorLog } from './log';
import { createPoster } from './post';
import type { InboundRoute } from './protocol';
import { createRoute } from './routes';
import { createCarrierServer } from './server';

export interface SimulatorOptions {
  /** Shared with the platform, both ways. */
  secret: string;
  /** Appended to; calls found in it are taken up again. */
  logPath: string;
  /** ±30 % by the number. */
  ringMs?: number;
  talkMs?: number;
  /** Null: only the ring time-out of the call ends ringing. */
  ringCapMs?: number | null;
  host?: string;
  eventRetryDelaysMs?: readonly number[];
  eventTimeoutMs?: number;
  /** How far events of a shuffling number are spread. */
  shuffleMs?: number;
  /** How long a call whose reply was lost is missing from look-ups. */
  lookupLagMs?: number;
  clock?: Clock;
}

export const SIMULATOR_DEFAULTS = {
  ringMs: 2000,
  talkMs: 4000,
  ringCapMs: null,
  host: '127.0.0.1',
  eventRetryDelaysMs: [200, 1000, 5000, 25_000],
  eventTimeoutMs: 5000,
  shuffleMs: 3000,
  lookupLagMs: 1500,
  clock: systemClock,
} satisfies Required<Omit<SimulatorOptions, 'secret' | 'logPath'>>;

export interface Simulator {
  /** Takes up the log's calls and answers requests. Port 0 is any free one; resolves to the port in use, rejects with EADDRINUSE. */
  listen(port: number): Promise<number>;
  stats(): Stats;
  /** Breaks connections off: calls go on when a simulator is started on the same log. */
  close(): Promise<void>;
}

export function createSimulator(given: SimulatorOptions): Simulator {
  const options = { ...SIMULATOR_DEFAULTS, ...given };
  const { clock, secret } = options;
  const log = openSimulatorLog(options.logPath);
  const poster = createPoster({ secret, timeoutMs: options.eventTimeoutMs });
  const sender = createEventSender({
    clock,
    log,
    poster,
    retryDelaysMs: options.eventRetryDelaysMs,
    shuffleMs: options.shuffleMs,
  });
  const counters = new Counters();
  const exchange = new Exchange({
    clock,
    log,
    sender,
    counters,
    timings: { ringMs: options.ringMs, talkMs: options.talkMs, ringCapMs: options.ringCapMs },
    lookupLagMs: options.lookupLagMs,
  });
  const inboundRoutes = new Map<string, InboundRoute>();
  const route = createRoute({ secret, clock, log, exchange, counters, inboundRoutes });
  const server = createCarrierServer({ clock, log, route });

  const takeUpLog = (): void => {
    const history = replayLog(readSimulatorLog(options.logPath), counters);
    for (const [number, inbound] of history.routes) inboundRoutes.set(number, inbound);
    exchange.restore(history.calls, history.deliveries);
  };

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, options.host, () => {
          server.off('error', reject);
          // Only now: a second simulator on the same port must not send the first one's events.
          takeUpLog();
          resolve(portOf(server.address()));
        });
      }),
    stats: () => counters.stats(),
    async close() {
      exchange.close();
      sender.close();
      poster.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      log.close();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the simulator listens on no port');
  return address.port;
}
