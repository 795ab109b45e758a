/**
 * Checks the attempts of one delivery: at most five per round, each after its delay from the end of the previous one and never early. An
 * attempt may be late only after an outage, and missing only after a recorded success.
 *
 * The ledger uses the worker's clock. Attempts that arrived have the receiver's true time. For the others the checker reports a violation
 * only if both readings, with and without the worker's clock shift, are wrong.
 */
import { isoOf, msOf } from '../instant';
import { outageBetween } from '../outages';
import type { AttemptRow, DeliveryRow } from '../rows';
import type { Run } from '../run';
import { regimesOf } from '../true-time';

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

export function attemptFaults(run: Run, delivery: DeliveryRow): string[] {
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
