/** Counts the contacts of a campaign by the rules that refuse them and by time zone, before it starts. */
import { decisionOfZone } from '../../domain/rules/campaign-window';
import { mayDial, type Callee, type DiallingRules, type DialRule } from '../../domain/rules/dialling';
import { RULES } from '../../domain/rules/decide';
import { zoneKeyOf, zoneNames } from '../../domain/rules/number-zones';
import { zoneOutlook, type ZoneOutlook } from '../../domain/rules/outlook';
import { inTurns } from '../../runtime/loop-turn';
import { about, list, nullable, object, optional, type ValueOf } from '../http/schema/field';
import { integer, oneOf, text, timestamp } from '../http/schema/kinds';
import { iso } from '../http/responses';
import type { Contact } from './contact-file/result';

export interface RulesOutlook {
  refused: Map<DialRule, number>;
  zones: (ZoneOutlook & { contacts: number })[];
  /** Rows with fewer than 60 callable minutes a day, in order. */
  shortRows: number[];
}

/** Yields to other requests, because a zone takes milliseconds. */
export async function rulesOutlook(
  rules: DiallingRules,
  callees: ReadonlyMap<number, Callee>,
  now: number,
): Promise<RulesOutlook> {
  const refused: RulesOutlook['refused'] = new Map();
  const byKey = new Map<string, ZoneOutlook>();
  const byZones = new Map<string, ZoneOutlook & { contacts: number }>();
  const shortRows: number[] = [];
  for await (const [row, callee] of inTurns([...callees])) {
    const key = zoneKeyOf(callee);
    const decision =
      callee.attempts.length === 0
        ? decisionOfZone(rules, { key, consent: callee.consent }, now)
        : mayDial(rules, callee, now);
    for (const rule of decision.isAllowed ? [] : decision.refusedBy)
      refused.set(rule, (refused.get(rule) ?? 0) + 1);
    const outlook = byKey.get(key) ?? zoneOutlook(rules, key, now);
    byKey.set(key, outlook);
    if (outlook.isShort) shortRows.push(row);
    const zones = outlook.zones.join();
    const counted = byZones.get(zones) ?? { ...outlook, contacts: 0 };
    byZones.set(zones, { ...counted, contacts: counted.contacts + 1 });
  }
  const zones = [...byZones.values()].toSorted((a, b) => b.contacts - a.contacts);
  return { refused, zones, shortRows: shortRows.toSorted((a, b) => a - b) };
}

/** Returns the contacts of a file that will be called, by row. A file records no consent. */
export function calleesOf(contacts: readonly Contact[]): Map<number, Callee> {
  return new Map(
    contacts
      .filter(({ duplicateOf }) => duplicateOf === null)
      .map(({ row, phoneNumber, timezone }) => [
        row,
        {
          toNumber: phoneNumber,
          timezone,
          consent: false,
          attempts: [],
        },
      ]),
  );
}

/** `window` is the campaign's own window. */
const DIAL_RULES: readonly DialRule[] = ['window', ...RULES];

const refusedByRule = object(
  { rule: oneOf<DialRule>(...DIAL_RULES), contacts: integer(1) },
  { name: 'RefusedByRule' },
);

const zoneOfContacts = object(
  {
    zone: about(
      text(),
      'Text for people. Numbers that can be in several zones name the first',
      'America/Denver',
    ),
    contacts: integer(1),
    opens_at: about(
      nullable(timestamp()),
      'First time at which they may be called. Null if the rules never allow it',
    ),
    closes_at: about(nullable(timestamp()), 'When that window closes'),
  },
  { name: 'ZoneOfContacts' },
);

const MAX_ROWS = 100;

/** Fields of a response that only campaigns with a local window or rule profiles have. */
export const outlookFields = {
  refused_by_rule: about(
    optional(list(refusedByRule)),
    'Contacts that each rule refuses at the start. Absent without `window_timezone` and rule profiles',
  ),
  zones: about(optional(list(zoneOfContacts)), 'Contacts by time zone, most contacts first'),
  short_windows: about(
    optional(
      object(
        {
          contacts: integer(0),
          rows: about(list(integer(1)), 'Row numbers of the first hundred'),
        },
        { name: 'ShortWindows' },
      ),
    ),
    'Contacts that can be called for less than 60 minutes on each of the first seven days',
  ),
};
type OutlookBody = {
  [Name in keyof typeof outlookFields]?: NonNullable<ValueOf<(typeof outlookFields)[Name]>>;
};

export function presentOutlook(outlook: RulesOutlook | null): OutlookBody {
  if (outlook === null) return {};
  const { refused, zones, shortRows } = outlook;
  const time = (ms: number | null) => (ms === null ? null : iso(new Date(ms)));
  return {
    refused_by_rule: DIAL_RULES.flatMap((rule) => {
      const contacts = refused.get(rule) ?? 0;
      return contacts === 0 ? [] : [{ rule, contacts }];
    }),
    zones: zones.map((zone) => ({
      zone: zoneNames(zone.zones),
      contacts: zone.contacts,
      opens_at: time(zone.opensAt),
      closes_at: time(zone.closesAt),
    })),
    short_windows: { contacts: shortRows.length, rows: shortRows.slice(0, MAX_ROWS) },
  };
}
