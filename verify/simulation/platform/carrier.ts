/** Runs the simulator of `dev/` as a simulated process. Calls, numbers and events are the same, but time and links are virtual. */
import { FetchError, Response } from 'node-fetch';
import type { Fetch } from '../../../activities/telephony/http/http-carrier';
import { SIMULATOR_DEFAULTS } from '../../../dev/simulator/app';
import { isoOf, type Clock } from '../../../dev/simulator/clock';
import { Counters, replayLog } from '../../../dev/simulator/history';
import { createEventSender } from '../../../dev/simulator/events';
import { Exchange } from '../../../dev/simulator/exchange';
import type { LogEntry, PlacedEntry, SimulatorLog, StateEntry } from '../../../dev/simulator/log';
import { SIP_STATUS } from '../../../dev/simulator/plan';
import { createRoute, type Route } from '../../../dev/simulator/routes';
import { currentOwner } from '../time/scheduler';
import { MessageLost, type SimulatedProcess, type World } from '../world';
import { CARRIER_SECRET } from './settings';

interface CarrierOptions {
  world: World;
  /** How far its clock is ahead of true time. */
  offsetMs: () => number;
  talkMs: number;
  ringMs: number;
  /** Sends an event to the API. The status is null if no response arrived. */
  post: (body: string) => Promise<{ status: number | null; body: string }>;
  /** Called for each entry of the log. */
  onEntry: (entry: LogEntry) => void;
}

/** Result of a status query for a call that the bridge lost: the call has ended, or it doesn't exist. */
export type AfterLoss = 'ended' | 'forgotten';

/** Longest delay of events that arrive late, twice and out of order. */
const WITHIN_MS = 5_000;

export class SimulatedCarrier {
  readonly entries: LogEntry[] = [];
  /** Events arrive late and twice until this virtual time. */
  shufflesUntilMs = 0;
  private route: Route | null = null;
  private process: SimulatedProcess | null = null;
  /** Calls that the bridge lost, by carrier id. The simulator sends no more events for them. */
  private readonly lost = new Map<string, { reference: string | null; after: AfterLoss }>();

  constructor(private readonly options: CarrierOptions) {}

  /** Takes over the calls of an earlier process. */
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

  /**
   * Ends live calls without sending events, as when a bridge dies. Restart the carrier afterwards: its look-up then reports these calls as
   * `after` says. It can forget only calls whose last event the platform has accepted.
   */
  lose(after: AfterLoss, max = Infinity): void {
    for (const call of this.live().slice(0, max)) {
      const { placed, last } = call;
      const { carrier_id, reference, to } = placed;
      const answeredBy = last?.state === 'answered' ? last.answered_by : null;
      const end_reason = last?.state === 'answered' ? 'dropped' : 'carrier_failure';
      this.lost.set(carrier_id, { reference, after: this.isKnown(call) ? after : 'ended' });
      this.write({
        kind: 'state',
        at: isoOf(this.nowMs()),
        carrier_id,
        reference,
        to,
        state: 'ended',
        end_reason,
        sip_status: SIP_STATUS[end_reason],
        answered_by: answeredBy,
      });
    }
  }

  /** Returns true if a status query finds nothing for a call that is over. LiveKit behaves like this, because it keeps no empty rooms. */
  hasForgotten(reference: string): boolean {
    return [...this.lost.values()].some((each) => each.reference === reference && each.after === 'forgotten');
  }

  private live(): { placed: PlacedEntry; last: StateEntry | null }[] {
    const calls = new Map<string, { placed: PlacedEntry; last: StateEntry | null }>();
    for (const entry of this.entries) {
      if (entry.kind === 'placed') calls.set(entry.carrier_id, { placed: entry, last: null });
      if (entry.kind !== 'state') continue;
      const call = calls.get(entry.carrier_id);
      if (call !== undefined) call.last = entry;
      if (entry.state === 'ended') calls.delete(entry.carrier_id);
    }
    return [...calls.values()];
  }

  /** Returns true if the platform has accepted the event about the call's current state. */
  private isKnown({ placed, last }: { placed: PlacedEntry; last: StateEntry | null }): boolean {
    return this.entries.some(
      (entry) =>
        entry.kind === 'event' &&
        entry.carrier_id === placed.carrier_id &&
        entry.type === last?.state &&
        entry.status !== null &&
        entry.status < 300,
    );
  }

  private nowMs(): number {
    return Math.round(this.options.world.nowMs + this.options.offsetMs());
  }

  /** Returns the fetch function for requests of this process. */
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
    const { process, route } = this;
    if (route === null || process?.isAlive !== true) throw new MessageLost('carrier', 'refused');
    const method = init.method ?? 'GET';
    const atMs = this.nowMs();
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const authorization = `Bearer ${CARRIER_SECRET}`;
    const reference = url.searchParams.get('reference');
    const answer =
      reference !== null && this.hasForgotten(reference)
        ? { status: 200, body: { calls: [] }, noted: {} }
        : currentOwner.run(process, () => route({ method, url, authorization, body, atMs }));
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
    if (this.lost.has((JSON.parse(body) as { carrier_id: string }).carrier_id))
      return { status: null, body: '' };
    if (world.nowMs < this.shufflesUntilMs) {
      await world.scheduler.sleep(world.random.next() * WITHIN_MS, process);
      if (world.random.chance(0.4)) void post(body);
    }
    return post(body);
  }

  private clock(process: SimulatedProcess): Clock {
    const { world } = this.options;
    return {
      nowMs: () => this.nowMs(),
      after: (delayMs, run) => world.scheduler.after(delayMs, process, run),
    };
  }

  private write(entry: LogEntry): void {
    this.entries.push(entry);
    this.options.onEntry(entry);
  }
}

/** Creates errors like node-fetch. Only a refused connection proves that the request did not arrive. */
function fetchError({ how }: MessageLost): Error {
  const code = how === 'refused' ? 'ECONNREFUSED' : 'ECONNRESET';
  const error = new FetchError(`the carrier: ${how}`, 'system');
  error.code = code;
  return error;
}
