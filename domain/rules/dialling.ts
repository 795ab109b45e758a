/**
 * Decides whether a contact may be dialled: the campaign's window and the profiles of the operator, the organization and the campaign must
 * all allow it.
 */
import { timeOfDay, type CallingSchedule } from '../calling-window';
import {
  allowedAround,
  factsOf,
  firstAllowedMinute,
  refusals,
  ruleSetOf,
  type Facts,
  type Rule,
  type RuleSet,
} from './decide';
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
      /** When the other rules allow it, if only `consent` or `zone_unknown` forbids it forever. Null if they never do. */
      opensAt: number | null;
    };

/** Time doesn't change these refusals. */
export const FINAL_RULES: readonly DialRule[] = ['consent', 'zone_unknown'];

export function mayDial(rules: DiallingRules, callee: Callee, at: number): DialDecision {
  const { window, profiles } = factsAt(rules, callee, at);
  const all = window === null ? profiles : [window, ...profiles];
  const refusedBy = [
    ...new Set<DialRule>([
      ...(window === null ? [] : refusals(window).map(asWindow)),
      ...profiles.flatMap(refusals),
    ]),
  ];
  if (refusedBy.length === 0) return { isAllowed: true, within: commonInterval(all.map(allowedAround)) };
  const isFinal = (rule: DialRule): boolean => FINAL_RULES.includes(rule);
  const opensAt = refusedBy.every(isFinal) ? at : firstAllowedMinute(all, at);
  return { isAllowed: false, refusedBy, nextAllowedAt: refusedBy.some(isFinal) ? null : opensAt, opensAt };
}

const asWindow = (rule: Rule): DialRule => (rule === 'hours' ? 'window' : rule);

function factsAt(
  { window, profiles }: DiallingRules,
  { toNumber, timezone, attempts, consent }: Callee,
  at: number,
): { window: Facts | null; profiles: Facts[] } {
  const facts = (rules: RuleSet, zone: string | null): Facts =>
    factsOf(rules, { toNumber, ...(zone !== null && { timezone: zone }), at, attempts, consent });
  return {
    window: window && facts(window.rules, window.timezone === 'contact' ? timezone : window.timezone),
    profiles: profiles.map((profile) => facts(profile, timezone)),
  };
}

const commonInterval = (intervals: readonly (Interval | null)[]): Interval => ({
  from: Math.max(...intervals.map((interval) => interval?.from ?? -Infinity)),
  until: Math.min(...intervals.map((interval) => interval?.until ?? Infinity)),
});

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
