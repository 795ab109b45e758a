/**
 * What happened, counted from the simulator's and the receiver's logs alone: the platform's own tables are what is being judged.
 */
import type { LogEntry, PlacedEntry } from '../simulator/log';
import { isAccepted, type ReceiverEntry } from '../receiver/log';

export interface CountedCall {
  reference: string;
  to: string;
  placedAtMs: number;
  answered: boolean;
  /** Null while it goes on. */
  endedAtMs: number | null;
}

export interface Tally {
  /** Distinct numbers that the carrier was asked to call. */
  contacts: number;
  /** Contacts with an answered call, and those without. */
  completed: number;
  failed: number;
  /** In the order placed. */
  calls: CountedCall[];
  /** Calls placed under a reference that had one already. */
  duplicateDials: number;
  peakLive: number;
  /** References that the carrier was asked for, whatever it answered: each owes one webhook. */
  asked: ReadonlySet<string>;
  /** Distinct event ids accepted by the receiver, by the call that they are about. */
  eventsByCall: ReadonlyMap<string, ReadonlySet<string>>;
  /** Times that the end of the campaign was announced, by distinct event ids. */
  completedAnnounced: number;
  /** Deliveries whose signatures did not hold. */
  invalidDeliveries: number;
  /** First call placed to last call ended, without `callbackWaitMs`. */
  makespanMs: number;
  /** How long no call was live and the next one was a callback: the callee had chosen the time, so no platform could dial earlier. */
  callbackWaitMs: number;
  idealMs: number;
}

export interface TallyInput {
  simulator: readonly LogEntry[];
  receiver: readonly ReceiverEntry[];
  /** The campaign's numbers: the logs may hold calls of other runs. */
  numbers: ReadonlySet<string>;
  campaignId: string;
  lines: number;
}

export function tallyOf(input: TallyInput): Tally {
  const { numbers, campaignId, lines } = input;
  const entries = input.simulator.filter((entry) => 'to' in entry && numbers.has(entry.to ?? ''));
  const { calls, peakLive } = followCalls(entries);
  const asked = askedCalls(entries);
  const reached = new Set(calls.filter(({ answered }) => answered).map(({ to }) => to));
  const callbackWaitMs = callbackWaitOf(calls);
  const deliveries = input.receiver.filter((entry) => entry.campaign_id === campaignId);
  return {
    contacts: asked.numbers.size,
    completed: reached.size,
    failed: asked.numbers.size - reached.size,
    calls,
    duplicateDials: calls.length - new Set(calls.map(({ reference }) => reference)).size,
    peakLive,
    asked: asked.references,
    eventsByCall: eventsByCall(deliveries),
    completedAnnounced: new Set(
      deliveries
        .filter((entry) => isAccepted(entry) && entry.event === 'campaign.completed')
        .map((entry) => entry.event_id),
    ).size,
    invalidDeliveries: deliveries.filter((entry) => !entry.valid).length,
    makespanMs: makespanOf(calls) - callbackWaitMs,
    callbackWaitMs,
    idealMs: idealOf(calls, lines),
  };
}

/** Lines are in the order in which things happened, which two equal times would not show. */
function followCalls(entries: readonly LogEntry[]): { calls: CountedCall[]; peakLive: number } {
  const calls = new Map<string, CountedCall>();
  let live = 0;
  let peakLive = 0;
  for (const entry of entries) {
    if (entry.kind === 'placed') {
      calls.set(entry.carrier_id, countedCall(entry));
      live += 1;
      peakLive = Math.max(peakLive, live);
    } else if (entry.kind === 'state') {
      const call = calls.get(entry.carrier_id);
      if (call === undefined) continue;
      if (entry.state === 'answered') call.answered = true;
      if (entry.state === 'ended' && call.endedAtMs === null) {
        call.endedAtMs = Date.parse(entry.at);
        live -= 1;
      }
    }
  }
  return { calls: [...calls.values()], peakLive };
}

function countedCall(entry: PlacedEntry): CountedCall {
  const { reference, to } = entry;
  return {
    reference: reference ?? '',
    to,
    placedAtMs: Date.parse(entry.at),
    answered: false,
    endedAtMs: null,
  };
}

function askedCalls(entries: readonly LogEntry[]): { references: Set<string>; numbers: Set<string> } {
  const references = new Set<string>();
  const numbers = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== 'request' || entry.method !== 'POST' || entry.path !== '/calls') continue;
    if (entry.reference !== undefined) references.add(entry.reference);
    if (entry.to !== undefined) numbers.add(entry.to);
  }
  return { references, numbers };
}

function eventsByCall(deliveries: readonly ReceiverEntry[]): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  for (const entry of deliveries) {
    const { call_id: callId, event_id: eventId } = entry;
    if (callId === null || eventId === null || !isAccepted(entry)) continue;
    events.set(callId, (events.get(callId) ?? new Set()).add(eventId));
  }
  return events;
}

function makespanOf(calls: readonly CountedCall[]): number {
  if (calls.length === 0) return 0;
  const first = Math.min(...calls.map(({ placedAtMs }) => placedAtMs));
  const last = Math.max(...calls.map(({ endedAtMs, placedAtMs }) => endedAtMs ?? placedAtMs));
  return last - first;
}

/**
 * A call to a contact that was reached before is its callback: such a contact is never redialled. The wait counts from the end of the
 * last call before it, and is 0 where others were live until then.
 */
function callbackWaitOf(calls: readonly CountedCall[]): number {
  const reached = new Set<string>();
  let lastEndMs = -Infinity;
  let waitMs = 0;
  for (const { to, answered, placedAtMs, endedAtMs } of calls) {
    if (reached.has(to)) waitMs += Math.max(0, placedAtMs - lastEndMs);
    if (answered) reached.add(to);
    lastEndMs = Math.max(lastEndMs, endedAtMs ?? Infinity);
  }
  return waitMs;
}

/**
 * No schedule of these calls can be shorter: `lines` calls go on at once at most, so it takes at least the sum of all durations ÷ lines;
 * and the calls to one contact follow one another, so it takes at least the longest sum over one contact. The greater of the two.
 * (Delays that belong to a script, such as a first POST that is refused, are not in it.)
 */
function idealOf(calls: readonly CountedCall[], lines: number): number {
  const chains = new Map<string, number>();
  let total = 0;
  for (const { to, placedAtMs, endedAtMs } of calls) {
    const duration = endedAtMs === null ? 0 : endedAtMs - placedAtMs;
    total += duration;
    chains.set(to, (chains.get(to) ?? 0) + duration);
  }
  return Math.max(total / lines, ...chains.values());
}

/** The last line of `--exit`. Its names are part of the command's interface: dev/demo/README.md says what each means. */
export function summaryOf(tally: Tally, lines: number): Record<string, number> {
  const events = new Set([...tally.eventsByCall.values()].flatMap((ids) => [...ids]));
  return {
    contacts: tally.contacts,
    completed: tally.completed,
    failed: tally.failed,
    dials: tally.calls.length,
    duplicate_dials: tally.duplicateDials,
    peak_live: tally.peakLive,
    lines,
    webhooks: events.size,
    makespan_s: seconds(tally.makespanMs),
    callback_wait_s: seconds(tally.callbackWaitMs),
    ideal_s: seconds(tally.idealMs),
  };
}

const seconds = (ms: number): number => Math.round(ms / 10) / 100;
