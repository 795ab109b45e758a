/** Decides whether a number may be called at an instant, by a rule profile. All instants are in milliseconds. */
import { zonesOfNumber } from './number-zones';
import {
  DAY_MS,
  MINUTE_MS,
  dayOf,
  firstCommonMinute,
  isWithinHours,
  openAround,
  openDaysOf,
  type Calendar,
  type Interval,
  type OpenDays,
} from './opening-hours';
import type { RuleProfile } from './profile';
import { spansOf, type Span } from './zone-spans';

/** Answers list the rules in this order. */
export const RULES = [
  'hours',
  'holiday',
  'max_per_day',
  'max_per_7_days',
  'min_gap',
  'consent',
  'zone_unknown',
] as const;
export type Rule = (typeof RULES)[number];

export interface Question {
  /** In E.164. */
  toNumber: string;
  /** The contact's own zone, which replaces those of its number. */
  timezone?: string;
  at: number;
  /** Attempts to call the number, in any order. Those after `at` are ignored. */
  attempts?: readonly number[];
  /** Default: false. */
  consent?: boolean;
}

export const ZONE_SOURCES = ['contact', 'number', 'none'] as const;

export interface Decision {
  /** Every rule that refuses the call. The call is allowed if there is none. */
  refusedBy: Rule[];
  timezones: readonly string[];
  zoneSource: (typeof ZONE_SOURCES)[number];
  /**
   * The first whole minute in the 400 days from `at` at which no rule except `consent` and `zone_unknown` refuses the call. Null if there
   * is none.
   */
  nextAllowedAt: number | null;
}

/** A profile that is ready for decisions. */
export interface RuleSet extends OpenDays {
  profile: RuleProfile;
}

export const ruleSetOf = (profile: RuleProfile): RuleSet => ({ profile, ...openDaysOf(profile) });

const HORIZON_MS = 400 * DAY_MS;
/** Most questions need no later clock change. Finding the changes of another year takes 0.3 ms for each zone. */
const NEAR_MS = 8 * DAY_MS;
const SEVEN_DAYS_MS = 7 * DAY_MS;
/** An attempt longer ago can't have the same local date, even if the zone moved across the date line since then. */
const SAME_DATE_MS = 3 * DAY_MS;

export function decide(rules: RuleSet, question: Question): Decision {
  const facts = factsOf(rules, question);
  const { timezones } = facts;
  const source = question.timezone === undefined ? 'number' : 'contact';
  return {
    refusedBy: refusals(facts),
    timezones,
    zoneSource: timezones.length === 0 ? 'none' : source,
    nextAllowedAt: firstAllowedMinute([facts], question.at),
  };
}

/** A question with all that its answer depends on. */
export interface Facts {
  rules: RuleSet;
  question: Question;
  timezones: readonly string[];
  /** In order, and none after the question. */
  attempts: readonly number[];
  /** Their spans end `NEAR_MS` after the question. */
  clocks: readonly Clock[];
  caps: Caps;
}

export function factsOf(rules: RuleSet, question: Question): Facts {
  const { at, timezone } = question;
  const timezones = timezone === undefined ? zonesOfNumber(question.toNumber) : [timezone];
  const attempts = (question.attempts ?? []).filter((attempt) => attempt <= at).toSorted((a, b) => a - b);
  const caps = capsOf(rules.profile, attempts);
  return {
    rules,
    question,
    timezones,
    attempts,
    caps,
    clocks: clocksOf({ rules, timezones, attempts }, at, NEAR_MS),
  };
}

const clocksOf = (
  { rules, timezones, attempts }: Pick<Facts, 'rules' | 'timezones' | 'attempts'>,
  at: number,
  aheadMs: number,
): Clock[] =>
  differentSpans(timezones, at - SAME_DATE_MS, at + aheadMs).map((spans) =>
    clockOf(rules, spans, at, attempts),
  );

/** Returns the first whole minute within 400 days at which no rule except `consent` and `zone_unknown` refuses. Null if there is none. */
export function firstAllowedMinute(all: readonly Facts[], at: number): number | null {
  const earliest = Math.max(at, ...all.flatMap(({ caps }) => [caps.weekEnds, caps.gapEnds]));
  const near = all.flatMap(({ clocks }) => clocks.map(calendarOf));
  const far = () => all.flatMap((facts) => clocksOf(facts, at, HORIZON_MS).map(calendarOf));
  return (
    firstCommonMinute(near, earliest, at + NEAR_MS) ?? firstCommonMinute(far(), earliest, at + HORIZON_MS)
  );
}

/** A zone's calendar and what its wall clock shows at the instant of the question. */
interface Clock {
  calendar: Calendar;
  /** The span of the instant. */
  span: Span;
  localMs: number;
}

const calendarOf = ({ calendar }: Clock): Calendar => calendar;

/** Returns the spans of the zones. Most of North America's forty zones share theirs with another zone. */
function differentSpans(zones: readonly string[], from: number, until: number): Span[][] {
  const all = zones.map((zone) => spansOf(zone, from, until));
  const byContent = new Map(
    all.map((spans) => [spans.map((span) => `${span.until} ${span.offset}`).join(), spans]),
  );
  return [...byContent.values()];
}

function clockOf(rules: RuleSet, spans: readonly Span[], at: number, attempts: readonly number[]): Clock {
  const spanAt = (instant: number) => {
    const span = spans.find(({ until }) => instant < until);
    if (span === undefined) throw new Error(`The spans don't reach ${instant}`);
    return span;
  };
  const recent = attempts.filter((attempt) => attempt > at - SAME_DATE_MS);
  const isFull = fullDays(
    rules.profile,
    recent.map((attempt) => dayOf(attempt + spanAt(attempt).offset)),
  );
  const { profile: _profile, ...openDays } = rules;
  const span = spanAt(at);
  return { calendar: { ...openDays, spans, isFull }, span, localMs: at + span.offset };
}

/** Returns whether a day has no attempt left. `days` has an entry for each attempt. */
function fullDays({ max_per_day: max }: RuleProfile, days: readonly number[]): (day: number) => boolean {
  if (max === null) return () => false;
  if (max === 0) return () => true;
  const counts = new Map<number, number>();
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
  return (day) => (counts.get(day) ?? 0) >= max;
}

/** The instants at which these caps end if no further attempt is made. Infinity means never. */
interface Caps {
  weekEnds: number;
  gapEnds: number;
}

/** The attempts are in order. */
function capsOf(
  { max_per_7_days: max, min_gap_minutes: gap }: RuleProfile,
  attempts: readonly number[],
): Caps {
  const last = attempts.at(-1);
  // Once this attempt is seven days old, only `max - 1` attempts count.
  const deciding = max === null ? undefined : attempts[attempts.length - max];
  return {
    weekEnds: max === 0 ? Infinity : deciding === undefined ? -Infinity : deciding + SEVEN_DAYS_MS,
    gapEnds: last === undefined ? -Infinity : last + gap * MINUTE_MS,
  };
}

/** Returns every rule that refuses the call. */
export function refusals({ rules, question: { at, consent = false }, clocks, caps }: Facts): Rule[] {
  const { profile } = rules;
  const isAmbiguous = clocks.some(({ localMs }) => localMs !== clocks[0]?.localMs);
  const refuses: Record<Rule, boolean> = {
    hours: clocks.some(({ localMs }) => !isWithinHours(rules, localMs)),
    holiday: clocks.some(({ localMs }) => rules.holidays.has(dayOf(localMs))),
    max_per_day: clocks.some(({ calendar, localMs }) => calendar.isFull(dayOf(localMs))),
    max_per_7_days: at < caps.weekEnds,
    min_gap: at < caps.gapEnds,
    consent: profile.consent === 'required' && !consent,
    zone_unknown: clocks.length === 0 || (profile.ambiguous_zone === 'skip' && isAmbiguous),
  };
  return RULES.filter((rule) => refuses[rule]);
}

/**
 * Returns the interval around the instant of a question that no rule refuses, in which no rule refuses either if no further attempt is
 * made. It begins at most a day before the instant and ends about a week after it at the latest. Null outside the hours.
 */
export function allowedAround({
  rules,
  question: { at },
  clocks,
  caps: { weekEnds, gapEnds },
}: Facts): Interval | null {
  const intervals: Interval[] = [{ from: Math.max(weekEnds, gapEnds), until: Infinity }];
  for (const { calendar, span } of clocks) {
    const open = openAround(calendar, at);
    if (open === null) return null;
    intervals.push(open);
    // The number can become ambiguous at a clock change.
    if (rules.profile.ambiguous_zone === 'skip' && clocks.length > 1) intervals.push(span);
  }
  return {
    from: Math.max(...intervals.map(({ from }) => from)),
    until: Math.min(...intervals.map(({ until }) => until)),
  };
}
