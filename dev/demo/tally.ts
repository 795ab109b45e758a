/** Counts calls and webhooks from the simulator's and the receiver's logs only, because the platform's own tables are under test. */
import type { LogEntry, PlacedEntry } from '../simulator/log';
import { isAccepted, type ReceiverEntry } from '../receiver/log';

export interface CountedCall {
  reference: string;
  to: string;
  placedAtMs: number;
  answered: boolean;
  /** Null while the call is live. */
  endedAtMs: number | null;
}

export interface Tally {
  /** Distinct numbers in dial requests to the carrier. */
  contacts: number;
  /** Contacts with and without an answered call. */
  completed: number;
  failed: number;
  /** Sorted by the time they were placed. */
  calls: CountedCall[];
  /** Calls placed under a reference that was already used. */
  duplicateDials: number;
  peakLive: number;
  /** References of all dial requests, including those that the carrier rejected. Each requires one webhook. */
  requested: ReadonlySet<string>;
  /** Distinct event ids that the receiver accepted, by call. */
  eventsByCall: ReadonlyMap<string, ReadonlySet<string>>;
  /** Distinct `campaign.completed` events that the receiver accepted. */
  completedReported: number;
  /** Deliveries with an invalid signature. */
  invalidDeliveries: number;
  /** Time from the first placed call to the last end, without `callbackWaitMs`. */
  makespanMs: number;
  /** Total time before callbacks during which no call was live. The callee chose the time, so no platform could have dialled earlier. */
  callbackWaitMs: number;
  idealMs: number;
}

interface TallyInput {
  simulator: readonly LogEntry[];
  receiver: readonly ReceiverEntry[];
  /** The campaign's numbers. The logs may also contain calls of other runs. */
  numbers: ReadonlySet<string>;
  campaignId: string;
  lines: number;
}

export function tallyOf(input: TallyInput): Tally {
  const { numbers, campaignId, lines } = input;
  const entries = input.simulator.filter((entry) => 'to' in entry && numbers.has(entry.to ?? ''));
  const { calls, peakLive } = followCalls(entries);
  const requested = requestedCalls(entries);
  const reached = new Set(calls.filter(({ answered }) => answered).map(({ to }) => to));
  const callbackWaitMs = callbackWaitOf(calls);
  const deliveries = input.receiver.filter((entry) => entry.campaign_id === campaignId);
  return {
    contacts: requested.numbers.size,
    completed: reached.size,
    failed: requested.numbers.size - reached.size,
    calls,
    duplicateDials: calls.length - new Set(calls.map(({ reference }) => reference)).size,
    peakLive,
    requested: requested.references,
    eventsByCall: eventsByCall(deliveries),
    completedReported: new Set(
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

/** Relies on the order of log lines, because two entries may have the same time. */
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

function requestedCalls(entries: readonly LogEntry[]): { references: Set<string>; numbers: Set<string> } {
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
 * Treats a call to a contact that was already reached as a callback, because such contacts are never redialled. The wait starts when the
 * last live call ends, so it is 0 if another call was live until the callback.
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
 * Returns a lower bound for any schedule of these calls: the sum of all durations ÷ `lines`, or the longest total of one contact, whose
 * calls can't overlap. It ignores delays that the simulator's script adds, such as a rejected first POST.
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

/** Returns the last line that `--exit` prints. Its names are part of the command's interface; dev/demo/README.md documents them. */
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
