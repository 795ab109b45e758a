/** Finds when the rules of a campaign allow a contact to be called, and explains to people why they refuse it. */
import { timeOfDay, type WindowPhase } from '../calling-window';
import { localMinuteText, utcText } from '../local-time';
import { FINAL_RULES, mayDial, type Callee, type DialRule, type DiallingRules } from './dialling';
import { RULES } from './decide';
import { zoneNames, zonesOfPlace, type Place } from './number-zones';

export interface ContactWindow {
  /** `over` if the rules never allow the dial. */
  window: WindowPhase;
  refusedBy: DialRule[];
}

export function contactWindow(rules: DiallingRules, callee: Callee, at: number): ContactWindow {
  const decision = mayDial(rules, callee, at);
  if (decision.isAllowed)
    return { window: { phase: 'open', closesAt: decision.within.until }, refusedBy: [] };
  const { refusedBy, nextAllowedAt } = decision;
  return {
    window: nextAllowedAt === null ? { phase: 'over' } : { phase: 'closed', opensAt: nextAllowedAt },
    refusedBy,
  };
}

/** Returns the rules because of which the contact is never dialled. Empty if it can still be, or if the campaign's last window has closed. */
export function rulesForEver({ window, refusedBy }: ContactWindow): DialRule[] {
  const final = refusedBy.filter((rule) => FINAL_RULES.includes(rule));
  if (final.length > 0) return final;
  return window.phase === 'over' && !refusedBy.includes('window') ? refusedBy : [];
}

export const isDialRule = (reason: string | null): reason is DialRule =>
  reason === 'window' || RULES.some((rule) => rule === reason);

/** Details of a refusal that aren't known for a contact without rules. */
interface RefusalDetails {
  place: Place;
  rules: DiallingRules;
  /** Minutes of the campaign's window. */
  startMinute: number;
  endMinute: number;
}

/** Explains a refusal, such as "outside the calling window, 08:00–20:00 in America/Denver". */
export function refusalWords(refusedBy: readonly DialRule[], details: RefusalDetails | null): string {
  const zones = details === null ? '' : ` in ${zoneNames(zonesOfPlace(details.place))}`;
  const words: Record<DialRule, string> = {
    window: `outside the calling window${details === null ? '' : `, ${windowText(details)}`}`,
    hours: `outside the hours that the rule hours allows${zones}`,
    holiday: `on a day that the rule holiday excludes${zones}`,
    max_per_day: 'called as often today as the rule max_per_day allows',
    max_per_7_days: 'called as often in 7 days as the rule max_per_7_days allows',
    min_gap: 'called more recently than the rule min_gap allows',
    consent: 'the rule consent requires a consent that is not recorded',
    zone_unknown: 'the rule zone_unknown requires a time zone that is certain',
  };
  return refusedBy.map((rule) => words[rule]).join(', and ');
}

function windowText({ place, rules, startMinute, endMinute }: RefusalDetails): string {
  const zone = rules.window?.timezone ?? 'UTC';
  const zones = zone === 'contact' ? zonesOfPlace(place) : [zone];
  return `${timeOfDay(startMinute)}–${timeOfDay(endMinute)} in ${zoneNames(zones)}`;
}

/** Formats an instant in the first zone of the contact and in UTC. */
export function localAndUtcText(at: number, place: Place): string {
  const [zone] = zonesOfPlace(place);
  return zone === undefined ? utcText(at) : `${localMinuteText(at, zone)} in ${zone} (${utcText(at)})`;
}
