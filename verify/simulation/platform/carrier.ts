/** The simulator of `dev/` as a simulated process: its calls, script of numbers and events are the same, its time and links are virtual. */
import { FetchError, Response } from 'node-fetch';
import type { Fetch } from '../../../activities/telephony/http/http-carrier';
import { SIMULATOR_DEFAULTS } from '../../../dev/simulator/app';
import { isoOf, type Clock } from '../../../dev/simulator/clock';
import { Counters } from '../../../dev/simulator/counters';
import { createEventSender } from '../../../dev/simulator/event-sender';
import { Exchange } from '../../../dev/simulator/exchange';
import { replayLog } from '../../../dev/simulator/history';
import type { LogEntry, SimulatorLog } from '../../../dev/simulator/log';
import { createRoute, type Route } from '../../../dev/simulator/routes';
import { currentOwner } from '../time/scheduler';
import { MessageLost, type SimulatedProcess, type World } from '../world';
import { CARRIER_SECRET } from './settings';

export interface CarrierOptions {
  world: World;
  /** How far its clock is ahead of the true one. */
  offsetMs: () => number;
  talkMs: number;
  ringMs: number;
  /** Hands an event to the API: its status, null where no answer came. */
  post: (body: string) => Promise<{ status: number | null; body: string }>;
  /** An entry of the log, as it is written. */
  onEntry: (entry: LogEntry) => void;
}

/** Events that come late, twice and in another order; 0 for none. */
const WITHIN_MS = 5_000;

export class SimulatedCarrier {
  readonly entries: LogEntry[] = [];
  /** Virtual milliseconds: until then its events come late and twice. */
  shufflesUntilMs = 0;
  private route: Route | null = null;
  private process: SimulatedProcess | null = null;

  constructor(private readonly options: CarrierOptions) {}

  /** Takes up the calls of an earlier process. */
  start(process: SimulatedProcess): void {
    const { talkMs, ringMs } = this.options;
    this.process = process;
    const clock = this.clock(process);
    const log: SimulatorLog = {
      write: (...entries) => entries.forEach((entry) => this.write(entry)),
      close: () => undefined,
    };
    const counters = new Counters();
    const sender = createEventSender({
      clock,
      log,
      poster: { post: (_url, body) => this.post(process, body), close: () => undefined },
      retryDelaysMs: SIMULATOR_DEFAULTS.eventRetryDelaysMs,
      shuffleMs: SIMULATOR_DEFAULTS.shuffleMs,
    });
    const { lookupLagMs } = SIMULATOR_DEFAULTS;
    const timings = { ringMs, talkMs, ringCapMs: null };
    const exchange = new Exchange({ clock, log, sender, counters, timings, lookupLagMs });
    const history = replayLog(this.entries, counters);
    currentOwner.run(process, () => {
      this.route = createRoute({
        secret: CARRIER_SECRET,
        clock,
        log,
        exchange,
        counters,
        inboundRoutes: new Map(),
      });
      exchange.restore(history.calls, history.deliveries);
    });
  }

  /** What a worker's requests go through. */
  fetchOf(asker: SimulatedProcess): Fetch {
    const { world } = this.options;
    return async (address, init) => {
      try {
        return await world.exchange(asker, 'carrier', () => this.answer(new URL(address), init));
      } catch (error) {
        throw error instanceof MessageLost ? fetchError(error) : error;
      }
    };
  }

  private answer(url: URL, init: Parameters<Fetch>[1]): Response {
    const { world, offsetMs } = this.options;
    const { process, route } = this;
    if (route === null || process?.isAlive !== true) throw new MessageLost('carrier', 'refused');
    const method = init.method ?? 'GET';
    const atMs = Math.round(world.nowMs + offsetMs());
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const authorization = `Bearer ${CARRIER_SECRET}`;
    const answer = currentOwner.run(process, () => route({ method, url, authorization, body, atMs }));
    const { status } = answer;
    this.write({ kind: 'request', at: isoOf(atMs), method, path: url.pathname, status, ...answer.noted });
    if (status === null) throw new MessageLost('carrier', 'lost');
    const headers = { date: new Date(atMs).toUTCString(), 'content-type': 'application/json' };
    return new Response(answer.body === undefined ? '' : JSON.stringify(answer.body), { status, headers });
  }

  private async post(
    process: SimulatedProcess,
    body: string,
  ): Promise<{ status: number | null; body: string }> {
    const { world, post } = this.options;
    if (world.nowMs < this.shufflesUntilMs) {
      await world.scheduler.sleep(world.random.next() * WITHIN_MS, process);
      if (world.random.chance(0.4)) void post(body);
    }
    return post(body);
  }

  private clock(process: SimulatedProcess): Clock {
    const { world, offsetMs } = this.options;
    return {
      nowMs: () => Math.round(world.nowMs + offsetMs()),
      after: (delayMs, run) => world.scheduler.after(delayMs, process, run),
    };
  }

  private write(entry: LogEntry): void {
    this.entries.push(entry);
    this.options.onEntry(entry);
  }
}

/** As node-fetch has it: only a connection that was refused surely brought nothing. */
function fetchError({ how }: MessageLost): Error {
  const code = how === 'refused' ? 'ECONNREFUSED' : 'ECONNRESET';
  const error = new FetchError(`the carrier: ${how}`, 'system');
  error.code = code;
  return error;
}
