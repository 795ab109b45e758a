/**
 * A simulated carrier that speaks the carrier protocol. The dialled number chooses the script. Each accepted POST places a call, a call
 * consists of steps, and the simulator sends the platform events about them.
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
  /** Signs messages in both directions. */
  secret: string;
  /** The simulator appends to this log and resumes the calls it finds there. */
  logPath: string;
  /** Base ring time. Each number varies it by ±30 %. */
  ringMs?: number;
  talkMs?: number;
  /** Null if ringing ends only with the call's ring timeout. */
  ringCapMs?: number | null;
  host?: string;
  eventRetryDelaysMs?: readonly number[];
  eventTimeoutMs?: number;
  /** Period over which the events of a shuffling number are spread. */
  shuffleMs?: number;
  /** How long `GET /calls` doesn't find a call whose reply was lost. */
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
  /**
   * Resumes the log's calls and starts to serve requests. Port 0 picks any free port. Resolves to the port in use; rejects with EADDRINUSE.
   */
  listen(port: number): Promise<number>;
  stats(): Stats;
  /** Cuts all connections. Calls continue when a simulator is started on the same log. */
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
          // Resumes the log only once the port is open, because a second simulator on the same port must not send the first one's events.
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
  if (address === null || typeof address === 'string')
    throw new Error('the simulator does not listen on a port');
  return address.port;
}
