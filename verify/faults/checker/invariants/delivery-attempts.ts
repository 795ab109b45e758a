/**
 * The attempts of one delivery: at most five a round, each after its delay from the end of the one before, never early; late only
 * where something was away; and none missing where no success was recorded.
 *
 * The ledger's instants are in the worker's clock. An attempt that arrived has the receiver's true one; of the others both readings,
 * as written and with the worker's shift taken off, must be wrong before they count against it.
 */
import { isoOf, msOf } from '../instant';
import { outageBetween } from '../outages';
import type { AttemptRow, DeliveryRow } from '../rows';
import type { Run } from '../run';
import { regimesOf } from '../true-time';

const DELAYS_MS = [0, 5_000, 25_000, 125_000, 625_000];
const ROUNDING_MS = 50;
/** A receiver that as many requests as may be are under way to is asked again after 20 s at most, now and then twice; a timer, a task queue and a busy machine. */
const LATE_MS = 45_000;
/** After an outage a reconciliation every ten seconds starts what has been overdue for thirty. */
const LATE_AFTER_OUTAGE_MS = 75_000;

interface Moment {
  /** Earliest and latest reading of when it began and ended. */
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
    faults.push(`was attempted ${round.length} times, and five is the most`);
  if (success >= 0 && success < round.length - 1)
    faults.push(`was attempted again after attempt ${success + 1} was accepted`);
  if (delivery.status === 'failed' && round.length !== DELAYS_MS.length) {
    faults.push(`is marked failed after ${round.length} attempts, and five must be made`);
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
  // Made twice, the ledger holds one of them, and which is not known.
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
    return `${which} came ${(longest / 1000).toFixed(1)} s after the one before, and ${delayMs / 1000} s must pass`;
  }
  if (shortest <= delayMs + LATE_MS) return null;
  // Something was away when it was due, or so shortly before that nothing had caught up yet.
  const dueMs = before.endMs[1] + delayMs;
  const outage = outageBetween(outages, before.endMs[0] - LATE_MS, moment.startMs[1]);
  if (
    outage !== undefined &&
    moment.startMs[0] <= Math.max(dueMs, lastEnd(outages, moment.startMs[1])) + LATE_AFTER_OUTAGE_MS
  )
    return null;
  return `${which} came ${(shortest / 1000).toFixed(1)} s after the one before, ${delayMs / 1000} s were due, and nothing was away`;
}

const lastEnd = (outages: Run['outages'], beforeMs: number): number =>
  Math.max(-Infinity, ...outages.filter(({ fromMs }) => fromMs <= beforeMs).map(({ untilMs }) => untilMs));

/** A delivery that is still pending must have its next attempt before it. */
function overdueFault(run: Run, delivery: DeliveryRow, moments: Moment[]): string[] {
  if (delivery.status !== 'pending' || delivery.next_attempt_at === null) {
    return delivery.status === 'pending' ? ['is pending without a next attempt'] : [];
  }
  const readMs = msOf(run.rows.read_at);
  const shifts = regimesOf(run.evidence.clock, 'worker').map(({ offsetMs }) => offsetMs);
  const last = moments.at(-1);
  const delayMs = DELAYS_MS[moments.length] ?? 0;
  // The latest instant that it can be due at, whatever clock wrote it.
  const dueMs =
    last === undefined
      ? msOf(delivery.next_attempt_at) - Math.min(0, ...shifts)
      : Math.max(last.endMs[1] + delayMs, msOf(delivery.next_attempt_at));
  const lateMs = Math.max(dueMs, lastEnd(run.outages, readMs)) + LATE_AFTER_OUTAGE_MS;
  if (readMs <= lateMs) return [];
  return [`is pending, its next attempt was due at ${isoOf(dueMs)}, and was not made by ${run.rows.read_at}`];
}
