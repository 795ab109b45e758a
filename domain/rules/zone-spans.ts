/** Finds the clock changes of a time zone. */
import { offsetReader } from '../local-time';

/** A stretch of time in which the zone keeps one offset from UTC. Instants and the offset are in milliseconds. */
export interface Span {
  from: number;
  /** Exclusive. */
  until: number;
  /** How far the zone is ahead of UTC. */
  offset: number;
}

const SECOND_MS = 1_000;
/** Since 1990, no zone has changed its offset twice within a week. */
const STEP_MS = 6 * 24 * 3_600 * SECOND_MS;

/** A year of a zone takes 0.4 ms to compute. The number of zones is limited, but each can be spelled in many ways. */
const MAX_CACHED = 5_000;
const cache = new Map<string, readonly Span[]>();

/** Returns the zone's spans in order, without gaps, in all years from that of `from` to that of `until`. */
export function spansOf(zone: string, from: number, until: number): Span[] {
  const spans: Span[] = [];
  for (let year = yearOf(from); year <= yearOf(until); year += 1) {
    for (const span of spansOfYear(zone, year)) {
      const last = spans.at(-1);
      if (last?.offset === span.offset) spans[spans.length - 1] = { ...last, until: span.until };
      else spans.push(span);
    }
  }
  return spans;
}

const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();

function spansOfYear(zone: string, year: number): readonly Span[] {
  const key = `${year} ${zone}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const spans = findSpans(offsetReader(zone), Date.UTC(year, 0), Date.UTC(year + 1, 0));
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, spans);
  return spans;
}

function findSpans(offsetAt: (instant: number) => number, start: number, end: number): Span[] {
  const spans: Span[] = [];
  let current = { from: start, offset: offsetAt(start) };
  for (let at = start; at < end; at += STEP_MS) {
    const next = Math.min(at + STEP_MS, end);
    const offset = offsetAt(next);
    if (offset === current.offset) continue;
    const change = firstChange(offsetAt, at, next);
    if (change === end) continue;
    spans.push({ ...current, until: change });
    current = { from: change, offset };
  }
  return [...spans, { ...current, until: end }];
}

/** Returns the instant between `from` and `until` at which the offset changes, to the second. */
function firstChange(offsetAt: (instant: number) => number, from: number, until: number): number {
  const before = offsetAt(from);
  let [low, high] = [from / SECOND_MS, until / SECOND_MS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * SECOND_MS) === before) low = middle;
    else high = middle;
  }
  return high * SECOND_MS;
}
