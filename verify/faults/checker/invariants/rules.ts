/**
 * The rules of a campaign with time zones or rule profiles (docs/rules.md): local windows, hours, caps, the gap after an attempt, consent,
 * and one live call per number. The checker counts attempts in the carrier's log.
 */
import { type Dial, nationalDigits } from '../dials';
import { type CampaignRecord, type Contact, isoOf, msOf, type ProfileRecord } from '../evidence';
import { localText } from '../local-time';
import type { Run } from '../run';
import { forbiddenBy, type Terms, WEEKDAYS } from '../terms';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The carrier places a call at most this long after the request, at which the attempt counts. Includes rounding. */
const TAKE_UP_MS = 3_010;

/** Returns why the campaign's window forbids a dial of the contact, or null if it allows it. */
export function outsideWindow(
  { window_timezone: zone }: CampaignRecord,
  contact: Contact | undefined,
  terms: Terms,
  atMs: number,
): string | null {
  const zones = zone === 'contact' ? (contact?.zones ?? []) : [zone ?? 'UTC'];
  for (const each of zones) {
    const reason = forbiddenBy(terms, atMs, each);
    if (reason !== null) return reason;
  }
  return null;
}

/** 3. No dial that a rule profile forbids. */
export function withinRules(run: Run): string[] {
  return run.dials.flatMap((dial) => {
    const campaign = run.campaign(dial.campaignId);
    const contact = campaign?.contacts.find(({ row }) => row === dial.contactRow);
    if (campaign?.profiles === undefined || contact === undefined || dial.isCallback) return [];
    const attempts = dialsOfNumber(run, campaign, contact)
      .filter(({ placedOrder }) => placedOrder < dial.placedOrder)
      .map(({ placedMs }) => placedMs - TAKE_UP_MS);
    for (const profile of campaign.profiles) {
      const reason = refusedBy(profile, contact, attempts, dial.placedMs);
      if (reason !== null)
        return `call ${dial.reference} of campaign ${campaign.id} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}), but ${reason}`;
    }
    return [];
  });
}

function dialsOfNumber({ dials }: Run, campaign: CampaignRecord, { phone_number: number }: Contact): Dial[] {
  const digits = nationalDigits(number);
  return dials.filter(
    ({ organizationId, to }) => organizationId === campaign.organization_id && nationalDigits(to) === digits,
  );
}

/** Returns why the profile forbids a dial, or null if it allows it. Attempts are in order. */
function refusedBy(
  profile: ProfileRecord,
  { zones = [], consent = false }: Contact,
  attempts: readonly number[],
  atMs: number,
): string | null {
  if (profile.consent === 'required' && !consent) return 'the contact has not consented';
  const locals = zones.map((zone) => ({ zone, local: localText(zone, atMs) }));
  if (profile.ambiguous_zone === 'skip' && new Set(locals.map(({ local }) => local)).size > 1)
    return 'the zone of its number is ambiguous';
  const closed = locals.find(({ local }) => !isOpen(profile, local));
  if (closed !== undefined) return `it was ${closed.local} in ${closed.zone}`;
  const { max_per_day: perDay, max_per_7_days: perWeek, min_gap_minutes: gap } = profile;
  const inWeek = attempts.filter((each) => each > atMs - 168 * HOUR_MS);
  if (perWeek !== null && inWeek.length >= perWeek) return `it had ${inWeek.length} attempts in seven days`;
  const isFull = ({ zone, local }: { zone: string; local: string }): boolean =>
    perDay !== null &&
    attempts.filter((each) => dayOf(localText(zone, each)) === dayOf(local)).length >= perDay;
  if (locals.some(isFull)) return `it already had ${perDay} attempts on that day`;
  const last = attempts.at(-1) ?? -Infinity;
  return atMs - last < gap * MINUTE_MS ? `the last attempt was at ${isoOf(last)}` : null;
}

const dayOf = (local: string): string => local.slice(0, 10);

function isOpen({ hours }: ProfileRecord, local: string): boolean {
  const weekday = WEEKDAYS[new Date(local).getUTCDay()] ?? '';
  const time = local.slice(11);
  return (hours[weekday] ?? []).some(([start, end]) => start <= time && time < end);
}

/** 2. A number has at most one live call per organization. */
export function oneCallPerNumber({ dials }: Run): string[] {
  const live = new Map<string, Dial>();
  return dials.flatMap((dial) => {
    const key = `${dial.organizationId} ${nationalDigits(dial.to)}`;
    const before = live.get(key);
    live.set(key, dial);
    if (before === undefined || before.endedOrder < dial.placedOrder) return [];
    return `call ${dial.reference} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}) while call ${before.reference} of the same organization to the same number was live`;
  });
}

/** A campaign of the simulation ends within this time. */
const LAST_WINDOW_MS = 48 * HOUR_MS;

/**
 * Returns when a contact that has ended could still be dialled after the run, or null if no rule would ever allow it. The later the search
 * starts, the less is allowed, so it holds for the end of the contact too.
 */
export function couldBeDialledAt(run: Run, campaign: CampaignRecord, contact: Contact): number | null {
  const fromMs = Math.ceil(msOf(run.rows.read_at) / MINUTE_MS) * MINUTE_MS;
  const possible = run.terms(campaign).possible(-Infinity, Infinity);
  const placed = dialsOfNumber(run, campaign, contact);
  // A request whose outcome remained unknown may count as an attempt too.
  const others = run.rows.calls.filter(
    (row) =>
      row.organization_id === campaign.organization_id &&
      nationalDigits(row.to_number ?? '') === nationalDigits(contact.phone_number) &&
      !placed.some(({ reference }) => reference === row.call_id),
  );
  const attempts = [...placed.map(({ placedMs }) => placedMs), ...others.map(() => fromMs)];
  for (let atMs = fromMs; atMs < fromMs + LAST_WINDOW_MS; atMs += MINUTE_MS) {
    const isAllowed =
      possible.every((terms) => outsideWindow(campaign, contact, terms, atMs) === null) &&
      (campaign.profiles ?? []).every((profile) => refusedBy(profile, contact, attempts, atMs) === null);
    if (isAllowed) return atMs;
  }
  return null;
}
