/** Finds when a profile allows calls in a time zone. */
import { WEEKDAYS } from '../calling-window';
import type { RuleProfile } from './profile';
import type { Span } from './zone-spans';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Milliseconds of UTC or of a local day. The end is exclusive. */
export interface Interval {
  from: number;
  until: number;
}

/** Hours and holidays of a profile. A local date is the number of days since 1 January 1970. */
export interface OpenDays {
  /** By the number of the weekday. The intervals of a day are in order and don't touch. */
  hours: readonly (readonly Interval[])[];
  holidays: ReadonlySet<number>;
  /** First and last local date, both inclusive. Every date is within an absent range. */
  dates?: { first: number; last: number };
}

/** A zone's calendar: the hours and holidays of the profile, and the days on which the number has reached `max_per_day`. */
export interface Calendar extends OpenDays {
  /** In order and without gaps. */
  spans: readonly Span[];
  isFull: (day: number) => boolean;
}

export const openDaysOf = ({ hours, holiday_dates }: RuleProfile): OpenDays => ({
  hours: WEEKDAYS.map((day) =>
    merged((hours[day] ?? []).map(([start, end]) => ({ from: timeMs(start), until: timeMs(end) }))),
  ),
  holidays: new Set(holiday_dates.map((date) => dayOf(Date.parse(`${date}T00:00:00Z`)))),
});

function timeMs(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return (hour * 60 + minute) * MINUTE_MS;
}

function merged(intervals: Interval[]): Interval[] {
  const all: Interval[] = [];
  for (const next of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && next.from <= last.until) last.until = Math.max(last.until, next.until);
    else all.push({ ...next });
  }
  return all;
}

export const dayOf = (localMs: number): number => Math.floor(localMs / DAY_MS);

function hoursOn({ hours, dates }: OpenDays, day: number): readonly Interval[] {
  if (dates !== undefined && (day < dates.first || day > dates.last)) return [];
  // 1 January 1970 was a Thursday.
  return hours[(((day + 4) % 7) + 7) % 7] ?? [];
}

export function isWithinHours(calendar: OpenDays, localMs: number): boolean {
  const day = dayOf(localMs);
  const time = localMs - day * DAY_MS;
  return hoursOn(calendar, day).some(({ from, until }) => from <= time && time < until);
}

/** Returns the first stretch that is open at or after `at`, cut at `at`, at midnight and at clock changes. */
function openFrom(calendar: Calendar, at: number): Interval | null {
  for (const span of calendar.spans) {
    if (span.until <= at) continue;
    const start = Math.max(at, span.from) + span.offset;
    const end = span.until + span.offset;
    for (let day = dayOf(start); day * DAY_MS < end; day += 1) {
      if (calendar.holidays.has(day) || calendar.isFull(day)) continue;
      for (const open of hoursOn(calendar, day)) {
        const from = Math.max(start, day * DAY_MS + open.from);
        const until = Math.min(end, day * DAY_MS + open.until);
        if (from < until) return { from: from - span.offset, until: until - span.offset };
      }
    }
  }
  return null;
}

/** Enough to search 400 days, even if 25 calendars have four intervals a day. Takes about 50 ms. */
const MAX_LOOKS = 40_000;

/**
 * Returns the first whole minute from `from` to `limit` in which all calendars are open. Calendars that keep missing each other count as
 * never open together, so that no profile can occupy a process.
 */
export function firstCommonMinute(
  calendars: readonly Calendar[],
  from: number,
  limit: number,
): number | null {
  let minute = wholeMinute(from);
  let isOpen = false;
  for (let looks = 0; !isOpen && minute <= limit; looks += calendars.length) {
    if (looks > MAX_LOOKS) return null;
    isOpen = true;
    for (const calendar of calendars) {
      const open = openFrom(calendar, minute);
      if (open === null) return null;
      if (open.from === minute) continue;
      minute = wholeMinute(open.from);
      isOpen = false;
    }
  }
  return isOpen ? minute : null;
}

const wholeMinute = (at: number): number => Math.ceil(at / MINUTE_MS) * MINUTE_MS;

/** How far around the current instant `openAround` looks. */
const BACK_MS = DAY_MS;
const AHEAD_MS = 7 * DAY_MS;

/**
 * Returns the interval around `at` in which the calendar stays open. The search covers a day back and a week ahead, so an end outside that
 * range isn't exact.
 */
export function openAround(calendar: Calendar, at: number): Interval | null {
  let interval = openFrom(calendar, at - BACK_MS);
  while (interval !== null && interval.until < at + AHEAD_MS) {
    const next = openFrom(calendar, interval.until);
    if (next?.from === interval.until) interval = { from: interval.from, until: next.until };
    else if (interval.until > at) break;
    else interval = next;
  }
  return interval !== null && interval.from <= at ? interval : null;
}
