/**
 * Decides whether a contact may be dialled: the campaign's window and the profiles of the operator, the organization and the campaign must
 * all allow it.
 */
import { timeOfDay, type CallingSchedule } from '../calling-window';
import { decide, ruleSetOf, type Decision, type Question, type Rule, type RuleSet } from './decide';
import type { Place } from './number-zones';
import { dayOf, type Interval } from './opening-hours';
import type { RuleProfile } from './profile';

/** A daily window in the zone of each contact (`contact`), or in one zone for all of them. */
export interface DiallingWindow extends CallingSchedule {
  timezone: string;
}

/** Rules that are ready for decisions. */
export interface DiallingRules {
  /** Null for a call without a campaign. */
  window: { rules: RuleSet; timezone: string } | null;
  profiles: readonly RuleSet[];
}

export function diallingRules(
  window: DiallingWindow | null,
  profiles: readonly RuleProfile[],
): DiallingRules {
  return {
    window: window && { rules: windowRules(window), timezone: window.timezone },
    profiles: profiles.map(ruleSetOf),
  };
}

const ALWAYS = {
  holiday_dates: [],
  ambiguous_zone: 'strictest',
  max_per_day: null,
  max_per_7_days: null,
  min_gap_minutes: 0,
  consent: 'none',
  disclosure: null,
  caller_id_prefixes: null,
} as const satisfies Omit<RuleProfile, 'hours'>;

function windowRules({ daysOfWeek, startMinute, endMinute, fromDate, toDate }: DiallingWindow): RuleSet {
  const hours = [[timeOfDay(startMinute), timeOfDay(endMinute)]] as const;
  const profile = { ...ALWAYS, hours: Object.fromEntries(daysOfWeek.map((day) => [day, hours])) };
  const day = (date: string) => dayOf(Date.parse(`${date}T00:00:00Z`));
  return { ...ruleSetOf(profile), dates: { first: day(fromDate), last: day(toDate) } };
}

export interface Callee extends Place {
  /** Earlier attempts to call the number. */
  attempts: readonly number[];
  consent: boolean;
}

/** `window` is the campaign's own window. */
export type DialRule = Rule | 'window';

export type DialDecision =
  | { isAllowed: true; within: Interval }
  | {
      isAllowed: false;
      refusedBy: DialRule[];
      /** Null if the contact may never be dialled. */
      nextAllowedAt: number | null;
    };

/** Time doesn't change these refusals. */
const FINAL_RULES: readonly DialRule[] = ['consent', 'zone_unknown'];

/** Each round waits for one of the rules. Rules that still contradict each other after this many rounds never agree. */
const MAX_ROUNDS = 100;

export function mayDial(rules: DiallingRules, callee: Callee, at: number): DialDecision {
  const { refusedBy, within } = answerAt(rules, callee, at);
  if (refusedBy.length === 0) return { isAllowed: true, within };
  const isFinal = refusedBy.some((rule) => FINAL_RULES.includes(rule));
  return { isAllowed: false, refusedBy, nextAllowedAt: isFinal ? null : nextAllowedAt(rules, callee, at) };
}

interface Answer {
  refusedBy: DialRule[];
  within: Interval;
  /** No rule allows a dial before. Null if one of them never does. */
  notBefore: number | null;
}

function answerAt(rules: DiallingRules, callee: Callee, at: number): Answer {
  const decisions = decisionsAt(rules, callee, at);
  const refusedBy = new Set(
    decisions.flatMap(({ isWindow, refusedBy }): DialRule[] =>
      isWindow && refusedBy.includes('hours') ? ['window'] : refusedBy,
    ),
  );
  const waits = decisions.map(({ refusedBy, nextAllowedAt }) =>
    refusedBy.every((rule) => FINAL_RULES.includes(rule)) ? at : nextAllowedAt,
  );
  return {
    refusedBy: [...refusedBy],
    within: {
      from: Math.max(...decisions.map(({ allowedWithin }) => allowedWithin?.from ?? -Infinity)),
      until: Math.min(...decisions.map(({ allowedWithin }) => allowedWithin?.until ?? Infinity)),
    },
    notBefore: waits.reduce(
      (latest, next) => (latest === null || next === null ? null : Math.max(latest, next)),
      at as number | null,
    ),
  };
}

function decisionsAt(
  { window, profiles }: DiallingRules,
  { toNumber, timezone, attempts, consent }: Callee,
  at: number,
): (Decision & { isWindow: boolean })[] {
  const question = (zone: string | null): Question => ({
    toNumber,
    ...(zone !== null && { timezone: zone }),
    at,
    attempts,
    consent,
  });
  const own = profiles.map((profile) => ({ ...decide(profile, question(timezone)), isWindow: false }));
  if (window === null) return own;
  const zone = window.timezone === 'contact' ? timezone : window.timezone;
  return [{ ...decide(window.rules, question(zone)), isWindow: true }, ...own];
}

/** Returns the first minute at which no rule except the final ones refuses the dial. */
function nextAllowedAt(rules: DiallingRules, callee: Callee, from: number): number | null {
  let at = from;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { notBefore } = answerAt(rules, callee, at);
    if (notBefore === null || notBefore === at) return notBefore;
    at = notBefore;
  }
  return null;
}

/** Returns what the agent must say before its greeting. Empty if no profile demands it. */
export const disclosureOf = (profiles: readonly RuleProfile[]): string =>
  [...new Set(profiles.map(({ disclosure }) => disclosure?.trim() ?? ''))].filter(Boolean).join(' ');

/** Returns the caller IDs that all profiles allow. */
export const allowedCallerIds = (numbers: readonly string[], profiles: readonly RuleProfile[]): string[] =>
  numbers.filter((number) =>
    profiles.every(
      ({ caller_id_prefixes: prefixes }) => prefixes?.some((prefix) => number.startsWith(prefix)) ?? true,
    ),
  );
