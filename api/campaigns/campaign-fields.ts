/**
 * The fields that create and update have in common, each defined once. They come as text in forms and as JSON; only a number is
 * written differently in the two.
 */
import Joi from 'joi';
import { minuteOfDay, WEEKDAYS, type Weekday } from '../../workflows/domain/calling-window';
import { isLonger } from '../../workflows/domain/json-faults';
import { isDate } from '../http/input/instant';
import { about, type Field, type ValueOf } from '../http/schema/field';
import { interpreted, type Interpretation } from '../http/schema/interpreted';

const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 2048;
/** Of a text that has no maximum of its own: five e-mail addresses and more, a week of days and blanks. */
const MAX_LENGTH = 4096;

/** A text that is checked by code, and what the document says of it. Where a blank text, or null in JSON, stands for `none`, it is. */
function written<T>(
  jsonSchema: object,
  interpret: (text: string) => Interpretation<T>,
  blank?: { none: T },
): Field<T> {
  const type = blank === undefined ? 'string' : ['string', 'null'];
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

const name = (): Field<string> =>
  written<string>({ minLength: 1, maxLength: MAX_NAME_LENGTH }, (text) => {
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
  written<Weekday[]>({}, (text) => {
    const names = listed(text);
    if (names.some((day) => !WEEK.some((known) => known === day))) {
      return { rule: 'string.weekdays' };
    }
    return { value: WEEK.filter((day) => names.includes(day)) };
  });

const EMAIL = Joi.string().email({ tlds: false });

const emails = (): Field<string[]> =>
  written<string[]>(
    {},
    (text) => {
      const addresses = listed(text);
      const wrong = addresses.some((address) => EMAIL.validate(address).error !== undefined);
      return wrong ? { rule: 'string.email' } : { value: addresses };
    },
    { none: [] },
  );

const httpUrl = (): Field<string | null> =>
  written<string | null>(
    { maxLength: MAX_URL_LENGTH },
    (text) => {
      if (text.length > MAX_URL_LENGTH) return { rule: 'string.max', limit: MAX_URL_LENGTH };
      return isHttpUrl(text) ? { value: text } : { rule: 'string.uri' };
    },
    { none: null },
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

export const campaignFields = (integer: IntegerKind) => ({
  campaign_name: about(name(), 'At most 255 characters', 'November reminders'),
  // Above the organisation's maximum is a rule's question, below one is no number of lines at all.
  concurrency: about(integer(1), "Most calls at once, up to the organization's maximum", 2),
  from_date: about(date(), 'First day, UTC', '2026-11-02'),
  to_date: about(date(), 'Last day, UTC', '2099-12-31'),
  start_time: about(timeOfDay(), 'UTC, inclusive, 02:30-14:29', '04:00'),
  end_time: about(timeOfDay(), 'UTC, exclusive, 02:30-14:29', '10:30'),
  days_of_week: about(weekdays(), 'Comma-separated lowercase weekday names', 'monday,tuesday'),
  max_retries: about(integer(), 'Most dials of a contact, 1-10; 1 is no redial', 3),
  retry_delay_mins: about(integer(), 'Minutes from the end of a dial to the next, 0-1440', 30),
  notification_emails: about(emails(), 'Comma-separated, at most 5'),
  campaign_webhook_url: about(httpUrl(), 'Notified of changes of the status'),
  per_call_webhook_url: about(httpUrl(), 'Notified of each call'),
});

/** What a person decides of a campaign, named as the interface names it; times are minutes after midnight UTC. */
export type CampaignTerms = {
  [Name in keyof ReturnType<typeof campaignFields>]: ValueOf<ReturnType<typeof campaignFields>[Name]>;
};
