/**
 * Computes when a campaign may dial: in a daily UTC window, on chosen weekdays, within a range of dates. All instants are milliseconds
 * since the epoch.
 */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface CallingSchedule {
  /** First and last day in UTC (`YYYY-MM-DD`), both inclusive. */
  fromDate: string;
  toDate: string;
  /** Minutes after midnight UTC. The start is inclusive and the end is exclusive. */
  startMinute: number;
  endMinute: number;
  daysOfWeek: readonly Weekday[];
}

/** As stored in a campaign's row, with comma-separated weekdays. */
export type StoredSchedule = Omit<CallingSchedule, 'daysOfWeek'> & { daysOfWeek: string };

export function scheduleOf({
  fromDate,
  toDate,
  startMinute,
  endMinute,
  daysOfWeek,
}: StoredSchedule): CallingSchedule {
  const days = daysOfWeek.split(',');
  return {
    fromDate,
    toDate,
    startMinute,
    endMinute,
    daysOfWeek: WEEKDAYS.filter((day) => days.includes(day)),
  };
}

export type WindowPhase =
  /** The first day has not begun. */
  | { phase: 'ahead'; opensAt: number; opening?: Opening }
  | { phase: 'open'; closesAt: number; opening?: Opening }
  /** Between two windows. */
  | { phase: 'closed'; opensAt: number; opening?: Opening }
  /** No window is left. */
  | { phase: 'over' };

/** Time zones whose contacts may be called from an instant on. */
export interface Opening {
  /** Text for people, such as `America/Denver`. */
  zones: string;
  at: number;
  /** Number of their contacts. Absent if it wasn't counted. */
  contacts?: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const midnight = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

function windowOf(
  schedule: CallingSchedule,
  midnightMs: number,
): { opensAt: number; closesAt: number } | null {
  const weekday = WEEKDAYS[new Date(midnightMs).getUTCDay()];
  if (weekday === undefined || !schedule.daysOfWeek.includes(weekday)) return null;
  return {
    opensAt: midnightMs + schedule.startMinute * MINUTE_MS,
    closesAt: midnightMs + schedule.endMinute * MINUTE_MS,
  };
}

/** Searches at most eight days ahead, because every weekday recurs within seven days. */
export function windowPhase(schedule: CallingSchedule, now: number): WindowPhase {
  const firstDay = midnight(schedule.fromDate);
  const lastDay = midnight(schedule.toDate);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const ahead = today < firstDay;
  for (let day = Math.max(today, firstDay), seen = 0; day <= lastDay && seen < 8; day += DAY_MS, seen++) {
    const window = windowOf(schedule, day);
    if (window === null || now >= window.closesAt) continue;
    if (now >= window.opensAt) return { phase: 'open', closesAt: window.closesAt };
    return { phase: ahead ? 'ahead' : 'closed', opensAt: window.opensAt };
  }
  return { phase: 'over' };
}

/** A window that is the same every day. */
export interface DailyWindow {
  /** Minutes after midnight UTC. The start is inclusive and the end is exclusive. */
  startMinute: number;
  endMinute: number;
}

/** Returns the window that is open at `at`, or the next one. */
export function dailyWindowAt(window: DailyWindow, at: number): { opensAt: number; closesAt: number } {
  const today = Math.floor(at / DAY_MS) * DAY_MS;
  const day = at < today + window.endMinute * MINUTE_MS ? today : today + DAY_MS;
  return { opensAt: day + window.startMinute * MINUTE_MS, closesAt: day + window.endMinute * MINUTE_MS };
}

/** Reads `HH:MM` as minutes after midnight, including `24:00`. Returns null for anything else. */
export function minuteOfDay(text: string): number | null {
  if (text === '24:00') return 24 * 60;
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/** Formats minutes after midnight as `HH:MM`. */
export function timeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
