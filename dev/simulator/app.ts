/**
 * A simulated carrier that speaks the carrier protocol. The dialled number chooses the script. Each accepted POST places a call, a call
 * consists of steps, and the simulator sends the platform events about them.
 */
import http from 'node:http';
import { parsedJson } from '../../domain/json';
import { closeServer, listen, readBody, sendJson } from '../http';
import { systemClock, type Clock, isoOf } from './clock';
import { Counters, type Stats, replayLog } from './history';
import { createEventSender, createPoster } from './events';
import { Exchange } from './exchange';
import { openSimulatorLog, readSimulatorLog, type SimulatorLog } from './log';
import type { InboundRoute } from './protocol';
import { createRoute, type Answer, type Route } from './routes';

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

  const resumeLog = (): void => {
    const history = replayLog(readSimulatorLog(options.logPath), counters);
    for (const [number, inbound] of history.routes) inboundRoutes.set(number, inbound);
    exchange.restore(history.calls, history.deliveries);
  };

  return {
    async listen(port) {
      const opened = await listen(server, port, options.host);
      // Resumes the log only once the port is open, because a second simulator on the same port must not send the first one's events.
      resumeLog();
      return opened;
    },
    stats: () => counters.stats(),
    async close() {
      exchange.close();
      sender.close();
      poster.close();
      await closeServer(server);
      log.close();
    },
  };
}

const MAX_BODY_BYTES = 1024 * 1024;

interface ServerOptions {
  clock: Clock;
  log: SimulatorLog;
  route: Route;
}

/** Serves the routes over HTTP. Reads the body, writes the log entry and then responds. */
function createCarrierServer({ clock, log, route }: ServerOptions): http.Server {
  return http.createServer((request, response) => {
    const handle = (bytes: Buffer | null): void => {
      const atMs = clock.nowMs();
      const method = request.method ?? 'GET';
      const url = new URL(`http://carrier${targetOf(request)}`);
      const answer: Answer =
        bytes === null
          ? { status: 413, body: { placed: false, code: 'TOO_LARGE' } }
          : route({
              method,
              url,
              authorization: request.headers.authorization,
              body: parsedJson(bytes.toString('utf8')),
              atMs,
            });
      log.write({
        kind: 'request',
        at: isoOf(atMs),
        method,
        path: url.pathname,
        status: answer.status,
        ...answer.noted,
      });
      // The platform checks `not_after` against this header, so it uses the simulator's clock.
      response.setHeader('date', new Date(clock.nowMs()).toUTCString());
      const { status, body } = answer;
      if (status === null) response.socket?.destroy();
      else if (body === undefined) response.writeHead(status).end();
      else sendJson(response, status, body);
    };
    // A platform that closes the connection gets no response, and the simulator logs no request.
    readBody(request, MAX_BODY_BYTES).then(handle, () => undefined);
  });
}

/** Treats a target that isn't a path (`*`, or an absolute URL) as an unknown path. */
function targetOf(request: http.IncomingMessage): string {
  const target = request.url ?? '/';
  return target.startsWith('/') && URL.canParse(`http://carrier${target}`) ? target : '/';
}
