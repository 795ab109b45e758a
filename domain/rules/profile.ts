/** Rule profiles: when and how often a number may be called. `docs/rules.md` explains each field. */
import type { Weekday } from '../calling-window';
import holidays from './holidays.json';
import inTrai from './profiles/in-trai.json';
import none from './profiles/none.json';
import ukOfcom from './profiles/uk-ofcom.json';
import usRegF from './profiles/us-reg-f.json';
import usTcpa from './profiles/us-tcpa.json';

/** Local times such as `09:00`. The start is inclusive and the end exclusive, at most `24:00`. */
export type OpenHours = readonly [start: string, end: string];

/** A profile as organizations write it, so its fields are named as in the API. */
export interface RuleProfile {
  /** A weekday that is absent is closed. */
  hours: { readonly [day in Weekday]?: readonly OpenHours[] };
  /** Local dates such as `2026-12-25`, on which no call is allowed. */
  holiday_dates: readonly string[];
  /** How to treat a number whose possible zones show different times: obey the rules in all of them, or skip the number. */
  ambiguous_zone: 'strictest' | 'skip';
  /** Maximum number of attempts in a local calendar day. */
  max_per_day: number | null;
  /** Maximum number of attempts within 168 hours. */
  max_per_7_days: number | null;
  min_gap_minutes: number;
  consent: 'none' | 'required';
  /** A sentence that the agent must say before its greeting. */
  disclosure: string | null;
  /** The caller ID must begin with one of these. */
  caller_id_prefixes: readonly string[] | null;
}

export const SHIPPED_PROFILES = ['us-tcpa', 'us-reg-f', 'in-trai', 'uk-ofcom', 'none'] as const;
export type ShippedProfileName = (typeof SHIPPED_PROFILES)[number];

export const isShipped = (name: string): name is ShippedProfileName =>
  SHIPPED_PROFILES.some((shipped) => shipped === name);

/** A value of a shipped profile with the page that states it. `verified` is true once a lawyer has checked it. */
interface Sourced<Value> {
  value: Value;
  source: string;
  verified: boolean;
  note: string;
}

/** The content of a file in `profiles/`. TypeScript reads texts in JSON only as `string`. */
type ProfileFile = { title: string } & {
  [field in Exclude<keyof RuleProfile, 'hours' | 'holiday_dates'>]: Sourced<unknown>;
} & {
  hours: Sourced<{ [day in Weekday]?: readonly (readonly string[])[] }>;
  /** The country whose holidays the profile observes. */
  holidays: Sourced<string | null>;
};

const FILES: Readonly<Record<ShippedProfileName, ProfileFile>> = {
  'us-tcpa': usTcpa,
  'us-reg-f': usRegF,
  'in-trai': inTrai,
  'uk-ofcom': ukOfcom,
  none,
};

/** A test checks every file against the type. */
export function shippedProfile(name: ShippedProfileName): RuleProfile {
  const { title: _title, holidays: observed, ...fields } = FILES[name];
  const values = Object.entries(fields).map(([field, { value }]) => [field, value]);
  const holiday_dates = observed.value === null ? [] : holidaysOf(observed.value);
  return { ...Object.fromEntries(values), holiday_dates } as RuleProfile;
}

/** The page that states a value. */
export type ValueSource = Omit<Sourced<unknown>, 'value'>;

/** Returns the profile's title, and the source of each of its values. */
export function sourcesOf(name: ShippedProfileName): {
  title: string;
  sources: { [field in keyof RuleProfile]: ValueSource };
} {
  const { title, holidays: holiday_dates, ...fields } = FILES[name];
  const sources = Object.entries({ ...fields, holiday_dates }).map(([field, { source, verified, note }]) => [
    field,
    { source, verified, note },
  ]);
  return { title, sources: Object.fromEntries(sources) as { [field in keyof RuleProfile]: ValueSource } };
}

/** Returns the dates in the reviewed file. */
function holidaysOf(country: string): string[] {
  const known = Object.entries(holidays).find(([code]) => code === country);
  if (known === undefined) throw new Error(`holidays.json lacks ${country}`);
  return Object.keys(known[1].dates);
}
