/** Rules as the database returns them. */
import { scheduleOf, type StoredSchedule } from '../calling-window';
import { diallingRules, type DiallingRules } from './dialling';
import { isShipped, shippedProfile, type RuleProfile } from './profile';

/** A profile that an organization has defined, or the name of a shipped one. */
export type StoredProfile = RuleProfile | string;

export interface StoredWindow extends StoredSchedule {
  /** An IANA name, or `contact` for the zone of each contact. Null for UTC. */
  windowTimezone: string | null;
}

export interface StoredRules {
  window: StoredWindow | null;
  profiles: readonly StoredProfile[];
}

const MAX_CACHED = 100;
const cache = new Map<string, DiallingRules>();

/** Prepares rules for decisions. The latest ones are cached, because a campaign decides about each contact. */
export function rulesOf({ window, profiles }: StoredRules, ofOperator: RuleProfile | null): DiallingRules {
  const all = ofOperator === null ? profiles : [ofOperator, ...profiles];
  const key = JSON.stringify([window, all]);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const rules = diallingRules(
    window && { ...scheduleOf(window), timezone: window.windowTimezone ?? 'UTC' },
    all.map(profileOf),
  );
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, rules);
  return rules;
}

export function profileOf(profile: StoredProfile): RuleProfile {
  if (typeof profile !== 'string') return profile;
  if (!isShipped(profile)) throw new Error(`There is no rule profile ${profile}`);
  return shippedProfile(profile);
}
