/**
 * Converts the simulator's log to true time. The simulator's clock may shift during the run, by a known offset at an approximately known
 * time.
 *
 * Lines are in true order, so only one interpretation of the offsets fits. Requests and placed calls have the clock's time when they are
 * written. A call state has its planned time, which stays in the old clock when the clock is set back. For such a line, the converter uses
 * the offset that puts it between its neighbours. After a restart with a clock that was set forward, the simulator finds that planned times
 * have passed and writes their lines at once.
 */
import { type CarrierLine, type ClockChange, type Evidence, msOf, type ShiftedProcess } from './evidence';

/** Longest delay from the record of a shift to its effect, including the time to write both records. */
const TAKES_EFFECT_WITHIN_MS = 500;
/** Lines written at almost the same moment can be in either order. */
const ORDER_SLACK_MS = 1_000;

interface Regime {
  sinceMs: number;
  untilMs: number;
  offsetMs: number;
}

export function regimesOf(changes: readonly ClockChange[], process: ShiftedProcess): Regime[] {
  const own = changes.filter((change) => change.process === process);
  // The first change sets the clock at the start of the process. No line is older.
  const starts = own.map((change, index) => ({
    sinceMs: index === 0 ? -Infinity : msOf(change.at),
    offsetMs: change.offset_ms,
  }));
  if (starts.length === 0) return [{ sinceMs: -Infinity, untilMs: Infinity, offsetMs: 0 }];
  return starts.map((start, index) => ({ ...start, untilMs: starts[index + 1]?.sinceMs ?? Infinity }));
}

/** Returns the true time of each line in ms, in the order of the log. */
export function trueTimes({ carrier: lines, clock, restarts }: Evidence): number[] {
  const regimes = regimesOf(clock, 'simulator');
  const startsMs = restarts
    .filter(({ process, started_at }) => process === 'simulator' && started_at !== null)
    .map(({ started_at }) => msOf(started_at ?? ''));
  const anchors = anchorTimes(lines, regimes);
  const followed = nextOf(anchors);
  let last = -Infinity;
  return lines.map((line, index) => {
    const anchor = anchors[index];
    if (anchor !== null && anchor !== undefined) {
      last = Math.max(last, anchor);
      return anchor;
    }
    const readings = readingsOf(msOf(line.at), regimes, startsMs);
    return between(readings, last, followed[index] ?? Infinity);
  });
}

/** Returns null for lines that have a planned time, and for events, which have the time of sending. */
function anchorTimes(lines: readonly CarrierLine[], regimes: readonly Regime[]): (number | null)[] {
  let current = 0;
  let last = -Infinity;
  return lines.map((line) => {
    if (line.kind === 'state' || line.kind === 'event') return null;
    const at = msOf(line.at);
    const fitting = regimes.findIndex((regime, index) => {
      const atTrue = at - regime.offsetMs;
      return index >= current && isWithin(atTrue, regime) && atTrue >= last - ORDER_SLACK_MS;
    });
    if (fitting >= 0) current = fitting;
    last = at - (regimes[current]?.offsetMs ?? 0);
    return last;
  });
}

const isWithin = (atMs: number, { sinceMs, untilMs }: Regime): boolean =>
  atMs >= sinceMs - 1 && atMs <= untilMs + TAKES_EFFECT_WITHIN_MS;

function nextOf(anchors: readonly (number | null)[]): number[] {
  const result: number[] = [];
  let next = Infinity;
  for (let index = anchors.length - 1; index >= 0; index--) {
    result[index] = next;
    next = anchors[index] ?? next;
  }
  return result;
}

interface Reading {
  sinceMs: number;
  atMs: number;
}

/** Newest first: if two interpretations fit, the later clock applies. */
function readingsOf(atMs: number, regimes: readonly Regime[], startsMs: readonly number[]): Reading[] {
  return regimes
    .map((regime) => ({ sinceMs: regime.sinceMs, atMs: foundPast(atMs, regime, regimes, startsMs) }))
    .reverse();
}

/**
 * Returns the true time of a moment that was planned in the clock of `regime`. This is either that moment or a start of the simulator after
 * it had passed.
 */
function foundPast(
  atMs: number,
  { untilMs, offsetMs }: Regime,
  regimes: readonly Regime[],
  startsMs: readonly number[],
): number {
  const planned = atMs - offsetMs;
  const found = startsMs.find((startMs) => {
    const clock = regimes.findLast(({ sinceMs }) => sinceMs <= startMs);
    return startMs >= untilMs && startMs < planned && clock !== undefined && startMs + clock.offsetMs >= atMs;
  });
  return found ?? planned;
}

function between(readings: readonly Reading[], afterMs: number, beforeMs: number): number {
  const distance = (ms: number): number => Math.max(0, afterMs - ms, ms - beforeMs);
  const fitting = readings.filter(({ sinceMs }) => sinceMs <= beforeMs).map(({ atMs }) => atMs);
  return fitting.reduce((best, reading) => (distance(reading) < distance(best) ? reading : best));
}
