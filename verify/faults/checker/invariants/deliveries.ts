/** Invariant 6: the webhooks of a run. */
import { createHmac } from 'node:crypto';
import type { Dial } from '../dials';
import { isoOf, type Line, msOf, type ReceiverLine } from '../evidence';
import type { AttemptRow, DeliveryRow } from '../rows';
import { outageBetween, type Run } from '../run';
import { regimesOf } from '../true-time';
import { isTellable } from './dials';

const DELAYS_MS = [0, 5_000, 25_000, 125_000, 625_000];
const ROUNDING_MS = 50;
/**
 * Attempts at a receiver without a free slot are retried within 20 s, sometimes twice. The rest allows for timers, the task queue and a
 * busy machine.
 */
const LATE_MS = 45_000;
/** After an outage, a reconciliation every ten seconds starts deliveries that are more than thirty seconds overdue. */
const LATE_AFTER_OUTAGE_MS = 75_000;

interface Moment {
  /** Earliest and latest possible time of the start and the end. */
  startMs: [number, number];
  endMs: [number, number];
}

/**
 * Checks the attempts of one delivery: at most five per round, each after its delay from the end of the previous one and never early. An
 * attempt may be late only after an outage, and missing only after a recorded success.
 *
 * The ledger uses the worker's clock. Attempts that arrived have the receiver's true time. For the others the checker reports a violation
 * only if both readings, with and without the worker's clock shift, are wrong.
 */
function attemptFaults(run: Run, delivery: DeliveryRow): string[] {
  const attempts = run.rows.attempts.filter(({ delivery_id }) => delivery_id === delivery.id);
  const round = attempts.filter(({ attempt }) => attempt > delivery.earlier_attempts);
  const which = `delivery ${delivery.id} (${delivery.event}, event ${delivery.event_id})`;
  const moments = round.map((attempt) => momentOf(run, delivery, attempt));
  return [
    ...countFaults(delivery, round).map((fault) => `${which} ${fault}`),
    ...moments.flatMap((moment, index) => {
      const fault = spacingFault(run, moments[index - 1], moment, index);
      return fault === null ? [] : `${which}: ${fault}`;
    }),
    ...overdueFault(run, delivery, moments).map((fault) => `${which} ${fault}`),
  ];
}

function countFaults(delivery: DeliveryRow, round: AttemptRow[]): string[] {
  const faults: string[] = [];
  const success = round.findIndex(({ status_code }) => isSuccess(status_code));
  if (round.length > DELAYS_MS.length)
    faults.push(`was attempted ${round.length} times, but the maximum is five`);
  if (success >= 0 && success < round.length - 1)
    faults.push(`was attempted again after attempt ${success + 1} was accepted`);
  if (delivery.status === 'failed' && round.length !== DELAYS_MS.length) {
    faults.push(`is marked failed after ${round.length} attempts instead of five`);
  }
  if (delivery.status === 'delivered' && success < 0)
    faults.push('is marked delivered without an accepted attempt');
  if (delivery.status !== 'delivered' && success >= 0)
    faults.push(`is ${delivery.status} although attempt ${success + 1} was accepted`);
  return faults;
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

function momentOf(
  { evidence }: Run,
  delivery: DeliveryRow,
  { attempt, at, duration_ms }: AttemptRow,
): Moment {
  const [arrived, ...others] = evidence.receiver.filter(
    (line) => line.event_id === delivery.event_id && line.attempt === attempt,
  );
  // The ledger has only one of two attempts and doesn't show which one.
  if (arrived !== undefined && others.length === 0) {
    const ms = msOf(arrived.at);
    return { startMs: [ms - duration_ms, ms], endMs: [ms, ms + duration_ms] };
  }
  const written = msOf(at);
  const shifts = regimesOf(evidence.clock, 'worker').map(({ offsetMs }) => offsetMs);
  const readings = [...shifts, 0].map((shift) => written - shift);
  const [first, last] = [Math.min(...readings), Math.max(...readings)];
  return { startMs: [first, last], endMs: [first + duration_ms, last + duration_ms] };
}

function spacingFault(
  { outages }: Run,
  before: Moment | undefined,
  moment: Moment,
  index: number,
): string | null {
  const delayMs = DELAYS_MS[index];
  if (before === undefined || delayMs === undefined) return null;
  const shortest = moment.startMs[0] - before.endMs[1];
  const longest = moment.startMs[1] - before.endMs[0];
  const which = `attempt ${index + 1} at ${isoOf(moment.startMs[1])}`;
  if (longest < delayMs - ROUNDING_MS) {
    return `${which} came ${(longest / 1000).toFixed(1)} s after the previous attempt, but ${delayMs / 1000} s must pass`;
  }
  if (shortest <= delayMs + LATE_MS) return null;
  // A process or link was unreachable when the attempt was due, or had just recovered.
  const dueMs = before.endMs[1] + delayMs;
  const outage = outageBetween(outages, before.endMs[0] - LATE_MS, moment.startMs[1]);
  if (
    outage !== undefined &&
    moment.startMs[0] <= Math.max(dueMs, lastEnd(outages, moment.startMs[1])) + LATE_AFTER_OUTAGE_MS
  )
    return null;
  return `${which} came ${(shortest / 1000).toFixed(1)} s after the previous attempt instead of ${delayMs / 1000} s, although nothing was unreachable`;
}

const lastEnd = (outages: Run['outages'], beforeMs: number): number =>
  Math.max(-Infinity, ...outages.filter(({ fromMs }) => fromMs <= beforeMs).map(({ untilMs }) => untilMs));

/** The next attempt of a pending delivery must not be overdue. */
function overdueFault(run: Run, delivery: DeliveryRow, moments: Moment[]): string[] {
  if (delivery.status !== 'pending' || delivery.next_attempt_at === null) {
    return delivery.status === 'pending' ? ['is pending without a next attempt'] : [];
  }
  const readMs = msOf(run.rows.read_at);
  const shifts = regimesOf(run.evidence.clock, 'worker').map(({ offsetMs }) => offsetMs);
  const last = moments.at(-1);
  const delayMs = DELAYS_MS[moments.length] ?? 0;
  // Latest due time, whichever clock is right.
  const dueMs =
    last === undefined
      ? msOf(delivery.next_attempt_at) - Math.min(0, ...shifts)
      : Math.max(last.endMs[1] + delayMs, msOf(delivery.next_attempt_at));
  const lateMs = Math.max(dueMs, lastEnd(run.outages, readMs)) + LATE_AFTER_OUTAGE_MS;
  if (readMs <= lateMs) return [];
  return [`is pending, and its next attempt was due at ${isoOf(dueMs)} but not made by ${run.rows.read_at}`];
}

/** Receivers reject timestamps that differ more than this from their own clock. */
const TOLERANCE_MS = 300_000;

/**
 * Each delivered event was signed with the organization's secret. Both the receiver and this check, which verifies the body in the ledger,
 * must find the signature valid.
 */
function signatureFaults(run: Run): string[] {
  return run.evidence.receiver.flatMap((line) => {
    const fault = line.valid ? signatureFault(run, line) : (line.fault ?? 'the receiver rejected it');
    return fault === null
      ? []
      : `event ${line.event_id} (receiver.jsonl:${line.line}) has an invalid signature: ${fault}`;
  });
}

function signatureFault({ rows, evidence }: Run, line: Line<ReceiverLine>): string | null {
  const { timestamp, signature } = line;
  if (timestamp === undefined || signature === undefined) return null;
  if (timestamp === null || signature === null) return 'a header is missing';
  const delivery = rows.deliveries.find(({ event_id }) => event_id === line.event_id);
  const organization = evidence.organizations.find(({ id }) => id === delivery?.organization_id);
  // Another check reports events that are missing from the ledger.
  if (delivery === undefined || organization === undefined) return null;
  if (Math.abs(Number(timestamp) * 1000 - msOf(line.at)) > TOLERANCE_MS + 1_000) {
    return "the timestamp is more than 300 s from the receiver's clock";
  }
  const expected = createHmac('sha256', organization.secret)
    .update(`${timestamp}.${delivery.body}`)
    .digest('hex');
  return signature === `sha256=${expected}`
    ? null
    : 'X-Service-Signature does not match the body in the ledger';
}

const ENDS = ['completed', 'cancelled'] as const;

/** A campaign reaches its end and reports it with a single event id, even if that event is delivered repeatedly. */
export function reportedOnce(run: Run): string[] {
  return run.evidence.campaigns.flatMap(({ id }) => {
    const row = run.rows.campaigns.find((campaign) => campaign.id === id);
    if (row === undefined) return [];
    const ended = ENDS.find((status) => status === row.status && row.ended_at !== null);
    if (ended === undefined) return `campaign ${id} has not ended: it is ${row.status} at the end of the run`;
    if (row.webhook_url === null) return [];
    return ENDS.flatMap((end) => {
      const eventIds = announcements(run, id, `campaign.${end}`);
      const expected = end === ended ? 1 : 0;
      if (eventIds.length === expected) return [];
      return `campaign ${id} is ${ended}, and campaign.${end} was reported ${eventIds.length} times${listed(eventIds)}`;
    });
  });
}

/** Returns event ids from the delivery ledger and from what the receivers got. */
function announcements({ rows, evidence }: Run, campaignId: string, event: string): string[] {
  const written = rows.deliveries.filter((each) => each.campaign_id === campaignId && each.event === event);
  const received = evidence.receiver.filter(
    (each) => each.campaign_id === campaignId && each.event === event,
  );
  return [...new Set([...written, ...received].flatMap(({ event_id }) => event_id ?? []))];
}

const listed = (ids: string[]): string => (ids.length === 0 ? '' : ` (${ids.join(', ')})`);

/** Time from the end of a call to its recorded delivery. Allows for late events and a reconciliation every ten seconds. */
const CONCLUDED_WITHIN_MS = 60_000;
/** The worker records a response at once, but the statement may wait several seconds for a connection. */
const RECORDED_WITHIN_MS = 15_000;

/**
 * 6. Every finished call has an accepted delivery or exactly five failed attempts at the right intervals, with one event id and a valid
 * signature. A second accepted delivery is allowed only if a fault occurred between the first response and its record.
 */
export function delivered(run: Run): string[] {
  const accepted = acceptedByEvent(run);
  return [
    ...finishedDials(run).flatMap((dial) => callFaults(run, dial)),
    ...run.rows.deliveries.flatMap((delivery) => drainedFaults(delivery, accepted) ?? []),
    ...run.rows.deliveries.flatMap((delivery) => attemptFaults(run, delivery)),
    ...acceptedTwice(run, accepted),
    ...unknownEvents(run),
    ...signatureFaults(run),
  ];
}

const isAccepted = ({ valid, status }: ReceiverLine): boolean => valid && status >= 200 && status < 300;

function acceptedByEvent({ evidence }: Run): Map<string, Line<ReceiverLine>[]> {
  const result = new Map<string, Line<ReceiverLine>[]>();
  for (const line of evidence.receiver) {
    if (line.event_id === null || !isAccepted(line)) continue;
    result.set(line.event_id, [...(result.get(line.event_id) ?? []), line]);
  }
  return result;
}

/** Returns dials that ended long enough ago and whose campaign has a webhook URL. */
function finishedDials({ dials, rows }: Run): Dial[] {
  const notified = new Set(
    rows.campaigns.filter((row) => row.per_call_webhook_url !== null).map((row) => row.id),
  );
  const until = msOf(rows.read_at) - CONCLUDED_WITHIN_MS;
  return dials.filter(
    ({ campaignId, endedMs }) =>
      campaignId !== null && notified.has(campaignId) && endedMs !== null && endedMs < until,
  );
}

function callFaults(run: Run, dial: Dial): string[] {
  const deliveries = run.rows.deliveries.filter(({ call_id }) => call_id === dial.reference);
  const eventIds = new Set(deliveries.map(({ event_id }) => event_id));
  const which = `call ${dial.reference}, ended at ${isoOf(dial.endedMs ?? NaN)} (placed in simulator.jsonl:${dial.line}),`;
  if (eventIds.size !== 1) return [`${which} has ${eventIds.size} webhook events instead of one`];
  const expected = expectedEvents(run, dial);
  const wrong = deliveries.find(({ event }) => !expected.includes(event));
  return wrong === undefined
    ? []
    : [`${which} was reported as ${wrong.event}, but the carrier's log means ${expected.join(' or ')}`];
}

function expectedEvents(run: Run, dial: Dial): string[] {
  // If the callee answers just as the ring time ends, the carrier doesn't report the answer. It reports the end of the ringing, with any
  // result.
  if (dial.metItsEnd) return ['call.no_answer', 'call.failed', 'call.completed'];
  if (dial.answered) return ['call.completed'];
  if (dial.endReason === 'no_answer') return ['call.no_answer'];
  return dial.rang || isTellable(run, dial) ? ['call.failed'] : ['call.failed', 'call.no_answer'];
}

/** Compares deliveries that are final in the ledger with what arrived. */
function drainedFaults(delivery: DeliveryRow, accepted: ReadonlyMap<string, unknown[]>): string | null {
  if (delivery.status !== 'delivered' || accepted.has(delivery.event_id)) return null;
  return `delivery ${delivery.id} (${delivery.event}) is marked delivered, but the receiver accepted no event ${delivery.event_id}`;
}

function acceptedTwice(run: Run, accepted: ReadonlyMap<string, Line<ReceiverLine>[]>): string[] {
  const redelivered = new Set(
    run.rows.deliveries
      .filter(({ earlier_attempts }) => earlier_attempts > 0)
      .map(({ event_id }) => event_id),
  );
  return [...accepted].flatMap(([eventId, lines]) =>
    redelivered.has(eventId)
      ? []
      : lines.slice(1).flatMap((line, index) => secondFault(run, lines[index], line) ?? []),
  );
}

function secondFault(
  { outages }: Run,
  first: Line<ReceiverLine> | undefined,
  second: Line<ReceiverLine>,
): string | null {
  if (first === undefined) return null;
  const firstMs = msOf(first.at);
  if (outageBetween(outages, firstMs - 1_000, firstMs + RECORDED_WITHIN_MS) !== undefined) return null;
  return `event ${second.event_id} was accepted at ${first.at} and again at ${second.at} (receiver.jsonl:${first.line} and ${second.line}), although nothing died or was cut then`;
}

function unknownEvents({ rows, evidence }: Run): string[] {
  const known = new Set(rows.deliveries.map(({ event_id }) => event_id));
  return evidence.receiver.flatMap(({ event_id, event, line }) =>
    event_id !== null && known.has(event_id)
      ? []
      : `the receiver got event ${event_id ?? 'without an id'} (${event}, receiver.jsonl:${line}), but the ledger has no such event`,
  );
}
