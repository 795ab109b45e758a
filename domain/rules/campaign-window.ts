/** Finds when a campaign may dial the contacts of each time zone. */
import { scheduleOf, windowPhase, type Opening, type WindowPhase } from '../calling-window';
import { utcDay } from '../local-time';
import { mayDial, type DialDecision, type DiallingRules } from './dialling';
import { placeOfZoneKey, zonesOfPlace } from './number-zones';
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
const hasLocalRules = (
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
  const zones = campaign.zones.map((key) => ({ key, ...zoneAt(rules, key, now) }));
  const open = zones.filter(({ closesAt }) => closesAt !== null);
  const opensAt = Math.min(...zones.map((zone) => zone.opensAt ?? Infinity));
  const openingZones = zones.filter((zone) => zone.opensAt === opensAt).map(({ key }) => key);
  const opening = openingZones.length > 0 ? { opening: { zones: zonesText(openingZones), at: opensAt } } : {};
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

/** How long contacts are claimed whose zones aren't known yet, and those that end because the rules can never allow them. */
const SOON_MS = 60_000;

function zoneAt(rules: DiallingRules, key: string, now: number): Zone {
  const decision = decisionAt(rules, key, now);
  if (decision.isAllowed) return { closesAt: decision.within.until, opensAt: null };
  if (decision.nextAllowedAt !== null) return { closesAt: null, opensAt: decision.nextAllowedAt };
  // The dial ends these contacts with the name of the rule.
  return { closesAt: decision.refusedBy.includes('window') ? null : now + SOON_MS, opensAt: null };
}

interface Remembered {
  decision: DialDecision;
  from: number;
  until: number;
}

const MAX_ZONES = 1_000;
const NEVER_KEPT_MS = 3_600_000;
const remembered = new WeakMap<DiallingRules, Map<string, Remembered>>();

/** Remembers a decision until it changes, because each page of contacts needs those of all zones. */
function decisionAt(rules: DiallingRules, key: string, now: number): DialDecision {
  if (key === '' && (rules.window?.timezone === 'contact' || rules.profiles.length > 0))
    return { isAllowed: true, within: { from: now, until: now + SOON_MS } };
  const decisions = remembered.get(rules) ?? new Map<string, Remembered>();
  remembered.set(rules, decisions);
  const known = decisions.get(key);
  if (known !== undefined && known.from <= now && now < known.until) return known.decision;
  const decision = mayDial(rules, { ...placeOfZoneKey(key), attempts: [], consent: true }, now);
  const until = decision.isAllowed ? decision.within.until : (decision.nextAllowedAt ?? now + NEVER_KEPT_MS);
  if (decisions.size >= MAX_ZONES) decisions.clear();
  decisions.set(key, { decision, from: now, until });
  return decision;
}

/** Names the zones for people, such as `America/Denver`. */
function zonesText(keys: readonly string[]): string {
  const names = new Set(keys.flatMap((key) => zonesOfPlace(placeOfZoneKey(key))));
  const [first = 'an unknown time zone'] = names;
  return names.size <= 1 ? first : `${first} and ${names.size - 1} other time zones`;
}
