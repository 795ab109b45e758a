/**
 * The fields that create and update have in common, each defined once. They come as text in forms and as JSON; only a number is
 * written differently in the two.
 */
import Joi from 'joi';
import { MOST_LINES } from '../../db/clients/clients';
import { minuteOfDay, WEEKDAYS, type Weekday } from '../../domain/calling-window';
import { isLonger } from '../../domain/json-faults';
import { isDate } from '../http/input/instant';
import { about, type Field, type ValueOf } from '../http/schema/field';
import { interpreted, type Interpretation } from '../http/schema/interpreted';
import type { Notation } from '../http/schema/kinds';

const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 2048;
/** Of a text that has no maximum of its own: five e-mail addresses and more, a week of days and blanks. */
const MAX_LENGTH = 4096;

/** What a field that may be blank has as type in the document: a form knows no null. */
const OR_BLANK: Record<Notation, string | string[]> = { json: ['string', 'null'], form: 'string' };

/** A text that is checked by code, and what the document says of it. Where a blank text, or null in JSON, stands for `none`, it is. */
function written<T>(
  jsonSchema: object,
  interpret: (text: string) => Interpretation<T>,
  blank?: { none: T; notation: Notation },
): Field<T> {
  const type = blank === undefined ? 'string' : OR_BLANK[blank.notation];
  return interpreted<T>(
    { type, ...('type' in jsonSchema ? {} : { maxLength: MAX_LENGTH }), ...jsonSchema },
    (given) => {
      // Before anything walks it.
      if (typeof given === 'string' && isLonger(given, MAX_LENGTH))
        return { rule: 'string.max', limit: MAX_LENGTH };
      if (blank !== undefined && isBlank(given)) return { value: blank.none };
      return typeof given === 'string' ? interpret(given) : { rule: 'string.base' };
    },
  );
}

const isBlank = (given: unknown): boolean =>
  given === null || (typeof given === 'string' && given.trim() === '');

const NOT_BLANK = String.raw`^[^\u0000\ufffd]*[^\s\u0000\ufffd][^\u0000\ufffd]*$`;

const name = (): Field<string> =>
  written<string>({ pattern: NOT_BLANK, maxLength: MAX_NAME_LENGTH }, (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return { rule: 'string.empty' };
    if (!isLonger(trimmed, MAX_NAME_LENGTH)) return { value: trimmed };
    return { rule: 'string.max', limit: MAX_NAME_LENGTH };
  });

const timeOfDay = (): Field<number> =>
  written<number>({ pattern: String.raw`^([01]\d|2[0-3]):[0-5]\d$|^24:00$` }, (text) => {
    const minute = minuteOfDay(text);
    return minute === null ? { rule: 'string.time' } : { value: minute };
  });

const date = (): Field<string> =>
  written<string>({ format: 'date' }, (text) => (isDate(text) ? { value: text } : { rule: 'string.date' }));

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** As a week is written. */
export const WEEK: readonly Weekday[] = [...WEEKDAYS.slice(1), 'sunday'];

/** Empty is a list of none: which days were meant is a rule's question, not a type's. */
const weekdays = (): Field<Weekday[]> =>
  written<Weekday[]>({ pattern: `^(${WEEK.join('|')})(,(${WEEK.join('|')}))*$` }, (text) => {
    const names = listed(text);
    if (names.some((day) => !WEEK.some((known) => known === day))) {
      return { rule: 'string.weekdays' };
    }
    return { value: WEEK.filter((day) => names.includes(day)) };
  });

const EMAIL = Joi.string().email({ tlds: false });

/** Usual ones; rarer forms of an address are taken too. */
const USUAL_EMAIL = String.raw`[A-Za-z0-9_+-]{1,30}(\.[A-Za-z0-9_+-]{1,15}){0,2}@([A-Za-z0-9]{1,30}(-[A-Za-z0-9]{1,10})?\.){1,4}[A-Za-z]{2,20}`;

const emails = (notation: Notation): Field<string[]> =>
  written<string[]>(
    { pattern: `^(${USUAL_EMAIL}(,${USUAL_EMAIL}){0,4})?$` },
    (text) => {
      const addresses = listed(text);
      const wrong = addresses.some((address) => EMAIL.validate(address).error !== undefined);
      return wrong ? { rule: 'string.email' } : { value: addresses };
    },
    { none: [], notation },
  );

/** Without a leading zero, with which it would be octal. */
const OCTET = String.raw`(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;

/** Usual ones: a name or an IPv4 address, a port, a path. Rarer forms of an address are taken too. */
const USUAL_URL = String.raw`https?://(([a-z0-9]{1,30}(-[a-z0-9]{1,20}){0,3}\.){0,5}[a-z]{2,20}|(${OCTET}\.){3}${OCTET})(:[1-9]\d{0,3})?([/?#][!-~]*)?`;

const httpUrl = (notation: Notation): Field<string | null> =>
  written<string | null>(
    { pattern: `^(${USUAL_URL})?$`, maxLength: MAX_URL_LENGTH },
    (text) => {
      if (text.length > MAX_URL_LENGTH) return { rule: 'string.max', limit: MAX_URL_LENGTH };
      return isHttpUrl(text) ? { value: text } : { rule: 'string.uri' };
    },
    { none: null, notation },
  );

function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}

export type IntegerKind = (least?: number) => Field<number>;

/** Of a form. Signed, so that a negative number is out of range rather than no number. */
export const integerAsText: IntegerKind = (least = -Infinity) =>
  written<number>({ type: 'integer', ...(Number.isFinite(least) && { minimum: least }) }, (text) => {
    if (!/^-?\d{1,15}$/.test(text)) return { rule: 'number.integer' };
    return Number(text) < least ? { rule: 'number.min', limit: least } : { value: Number(text) };
  });

/** The range as the document says it: beyond it is a rule's question, with a code of its own. */
const ranged = (field: Field<number>, minimum: number, maximum: number): Field<number> =>
  field.meta({ jsonSchema: { minimum, maximum } });

export const campaignFields = (integer: IntegerKind, notation: Notation) => ({
  campaign_name: about(name(), 'At most 255 characters', 'November reminders'),
  // Above the organisation's maximum is a rule's question, below one is no number of lines at all.
  concurrency: about(
    ranged(integer(1), 1, MOST_LINES),
    "Most calls at once, up to the organization's maximum",
    2,
  ),
  from_date: about(date(), 'First day, UTC', '2026-11-02'),
  to_date: about(date(), 'Last day, UTC', '2099-12-31'),
  start_time: about(timeOfDay(), 'UTC, inclusive, 02:30-14:29', '04:00'),
  end_time: about(timeOfDay(), 'UTC, exclusive, 02:30-14:29', '10:30'),
  days_of_week: about(weekdays(), 'Comma-separated lowercase weekday names', 'monday,tuesday'),
  max_retries: about(ranged(integer(), 1, 10), 'Most dials of a contact, 1-10; 1 is no redial', 3),
  retry_delay_mins: about(
    ranged(integer(), 0, 1440),
    'Minutes from the end of a dial to the next, 0-1440',
    30,
  ),
  notification_emails: about(emails(notation), 'Comma-separated, at most 5'),
  campaign_webhook_url: about(httpUrl(notation), 'Notified of changes of the status'),
  per_call_webhook_url: about(httpUrl(notation), 'Notified of each call'),
});

/** What a person decides of a campaign, named as the interface names it; times are minutes after midnight UTC. */
export type CampaignTerms = {
  [Name in keyof ReturnType<typeof campaignFields>]: ValueOf<ReturnType<typeof campaignFields>[Name]>;
};
