/** Finds when a campaign may dial the contacts of each time zone. */
import { scheduleOf, windowPhase, type Opening, type WindowPhase } from '../calling-window';
import { utcDay } from '../local-time';
import { mayDial, type Callee, type DialDecision, type DiallingRules } from './dialling';
import { placeOfZoneKey, zoneKeyOf, zoneNames, zonesOfPlace } from './number-zones';
import { DAY_MS, MINUTE_MS } from './opening-hours';
import { rulesOf, type StoredProfile, type StoredWindow } from './stored-rules';
import type { RuleProfile } from './profile';

export interface ZonedCampaign extends StoredWindow {
  profiles: readonly StoredProfile[];
  /** Zone keys of the contacts that will be dialled now or later. */
  zones: readonly string[];
}

export interface CampaignWindow {
  window: WindowPhase;
  /** Zone keys whose contacts can be claimed now. Null means all. */
  openZones: string[] | null;
  /** Zone keys that open next. */
  openingZones: string[];
}

/** Returns whether a campaign has rules besides its window in UTC. */
export const hasLocalRules = (
  { windowTimezone, profiles }: Omit<ZonedCampaign, 'zones'>,
  ofOperator: RuleProfile | null,
): boolean => windowTimezone !== null || profiles.length > 0 || ofOperator !== null;

/** Returns whether the contacts' zones decide when a campaign may dial them. */
export const dependsOnZones = (
  { windowTimezone, profiles }: Omit<ZonedCampaign, 'zones'>,
  ofOperator: RuleProfile | null,
): boolean => windowTimezone === 'contact' || profiles.length > 0 || ofOperator !== null;

export function campaignWindow(
  campaign: ZonedCampaign,
  ofOperator: RuleProfile | null,
  now: number,
): CampaignWindow {
  if (!hasLocalRules(campaign, ofOperator))
    return { window: windowPhase(scheduleOf(campaign), now), openZones: null, openingZones: [] };
  const rules = rulesOf({ window: campaign, profiles: campaign.profiles }, ofOperator);
  const zones = campaign.zones.map((key) => ({ key, ...zoneAt({ rules, campaign }, key, now) }));
  const open = zones.filter(({ closesAt }) => closesAt !== null);
  const opensAt = Math.min(...zones.map((zone) => zone.opensAt ?? Infinity));
  const openingZones = zones.filter((zone) => zone.opensAt === opensAt).map(({ key }) => key);
  const opening =
    openingZones.length > 0 ? { opening: { zones: zonesText(rules, openingZones), at: opensAt } } : {};
  return {
    window: phaseOf({ campaign, open, opening, now }),
    openZones: open.map(({ key }) => key),
    openingZones,
  };
}

function phaseOf({
  campaign,
  open,
  opening,
  now,
}: {
  campaign: ZonedCampaign;
  open: readonly Zone[];
  opening: { opening?: Opening };
  now: number;
}): WindowPhase {
  if (open.length > 0)
    return { phase: 'open', closesAt: Math.max(...open.map(({ closesAt }) => closesAt ?? now)), ...opening };
  if (opening.opening === undefined) return { phase: 'over' };
  const phase = utcDay(now) < campaign.fromDate ? 'ahead' : 'closed';
  return { phase, opensAt: opening.opening.at, ...opening };
}

/** At most one of the two is set. Both are null once the zone's last window has closed. */
interface Zone {
  closesAt: number | null;
  opensAt: number | null;
}

/** Returns the end of the next minute. Contacts are claimed until then if their zones aren't known yet or the dial ends them. */
const soon = (now: number): number => (Math.floor(now / MINUTE_MS) + 2) * MINUTE_MS;

function zoneAt(
  { rules, campaign }: { rules: DiallingRules; campaign: ZonedCampaign },
  key: string,
  now: number,
): Zone {
  const decision = decisionAt(rules, key, now);
  if (decision.isAllowed) return { closesAt: decision.within.until, opensAt: null };
  const { refusedBy, opensAt } = decision;
  const isNow = opensAt !== null && opensAt <= now;
  // The dial ends contacts that the rules never allow, with the name of the rule.
  if (isNow || (opensAt === null && !refusedBy.includes('window')))
    return { closesAt: soon(now), opensAt: null };
  if (opensAt !== null) return { closesAt: null, opensAt };
  return { closesAt: null, opensAt: nextLook(campaign, now) };
}

/** The search for an opening ends after 400 days. */
const FAR_MS = 390 * DAY_MS;

/** Returns when to look for an opening again, or null if none is left. */
function nextLook({ fromDate }: ZonedCampaign, now: number): number | null {
  const dayBefore = midnight(fromDate) - DAY_MS;
  return dayBefore > now + FAR_MS ? dayBefore : null;
}

const midnight = (date: string): number => Date.parse(`${date}T00:00:00Z`);

interface Remembered {
  decision: DialDecision;
  from: number;
  until: number;
}

const MAX_ZONES = 2_000;
const NEVER_KEPT_MS = 60 * MINUTE_MS;
const remembered = new WeakMap<DiallingRules, Map<string, Remembered>>();

/** Decides about a contact. Without earlier attempts, the decision is that of its zone. */
export function mayDialNow(rules: DiallingRules, callee: Callee, now: number): DialDecision {
  if (callee.attempts.length > 0) return mayDial(rules, callee, now);
  return decisionOfZone(rules, { key: zoneKeyOf(callee), consent: callee.consent }, now);
}

function decisionAt(rules: DiallingRules, key: string, now: number): DialDecision {
  if (key === '' && (rules.window?.timezone === 'contact' || rules.profiles.length > 0))
    return { isAllowed: true, within: { from: now, until: soon(now) } };
  return decisionOfZone(rules, { key, consent: true }, now);
}

/**
 * Decides whether contacts of a zone without earlier attempts may be dialled. Remembers a decision until it changes, because each page of
 * contacts needs those of all zones.
 */
export function decisionOfZone(
  rules: DiallingRules,
  { key, consent }: { key: string; consent: boolean },
  now: number,
): DialDecision {
  const name = `${consent} ${key}`;
  const decisions = remembered.get(rules) ?? new Map<string, Remembered>();
  remembered.set(rules, decisions);
  const known = decisions.get(name);
  if (known !== undefined && known.from <= now && now < known.until) return known.decision;
  const decision = mayDial(rules, { ...placeOfZoneKey(key), attempts: [], consent }, now);
  const until = decision.isAllowed ? decision.within.until : keptUntil(decision.opensAt, now);
  if (decisions.size >= MAX_ZONES) decisions.clear();
  decisions.set(name, { decision, from: now, until });
  return decision;
}

function keptUntil(opensAt: number | null, now: number): number {
  if (opensAt === null) return now + NEVER_KEPT_MS;
  return opensAt > now ? opensAt : now + MINUTE_MS;
}

function zonesText({ window, profiles }: DiallingRules, keys: readonly string[]): string {
  const isFixed = window !== null && window.timezone !== 'contact' && profiles.length === 0;
  return zoneNames(isFixed ? [window.timezone] : keys.flatMap((key) => zonesOfPlace(placeOfZoneKey(key))));
}
