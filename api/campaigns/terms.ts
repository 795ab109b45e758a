/** The terms of a campaign, which create and update share: their fields, their stored names and the rules between them. */
import Joi from 'joi';
import type { Campaign, StoredTerms } from '../../db/campaigns/campaigns';
import { MAX_LINES } from '../../db/organizations/organizations';
import {
  minuteOfDay,
  timeOfDay,
  WEEKDAYS,
  type DailyWindow,
  type Weekday,
} from '../../domain/calling-window';
import { isLonger } from '../../domain/json-faults';
import { isTimeZone, offsetMs } from '../../domain/local-time';
import { ApiError } from '../http/errors/api-error';
import { isDate } from '../http/input/fields';
import { interpreted, type Interpretation } from '../http/schema/validate';
import type { Notation } from '../http/schema/kinds';
import type { ErrorCode } from '../http/errors/codes';
import { about, type Field, type ValueOf } from '../http/schema/field';
import { PROFILE_NAME } from '../rules/schema';

const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 2048;
/** Default for texts without a specific limit, such as five e-mail addresses or a list of weekdays. */
const MAX_LENGTH = 4096;

/** JSON Schema type of a field that may be blank. Forms have no null. */
const OR_BLANK: Record<Notation, string | string[]> = { json: ['string', 'null'], form: 'string' };

/** A text field that is checked by code. If `blank` is set, a blank string (or null in JSON) becomes `blank.none`. */
function written<T>(
  jsonSchema: object,
  interpret: (text: string) => Interpretation<T>,
  blank?: { none: T; notation: Notation },
): Field<T> {
  const type = blank === undefined ? 'string' : OR_BLANK[blank.notation];
  return interpreted<T>(
    { type, ...('type' in jsonSchema ? {} : { maxLength: MAX_LENGTH }), ...jsonSchema },
    (given) => {
      // Check the length before any other code scans the text.
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

const time = (): Field<number> =>
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

export const WEEK: readonly Weekday[] = [...WEEKDAYS.slice(1), 'sunday'];

/** An empty list is valid here. A campaign rule rejects it with its own error code. */
const weekdays = (): Field<Weekday[]> =>
  written<Weekday[]>({ pattern: `^(${WEEK.join('|')})(,(${WEEK.join('|')}))*$` }, (text) => {
    const names = listed(text);
    if (names.some((day) => !WEEK.some((known) => known === day))) {
      return { rule: 'string.weekdays' };
    }
    return { value: WEEK.filter((day) => names.includes(day)) };
  });

const EMAIL = Joi.string().email({ tlds: false });

/** Pattern for common addresses in the OpenAPI document. The API also accepts rarer forms. */
const USUAL_EMAIL = String.raw`[A-Za-z0-9_+-]{1,30}(\.[A-Za-z0-9_+-]{1,15}){0,2}@([A-Za-z0-9]{1,30}(-[A-Za-z0-9]{1,10})?\.){1,4}[A-Za-z]{2,20}`;

const emailList = (notation: Notation): Field<string[]> =>
  written<string[]>(
    { pattern: `^(${USUAL_EMAIL}(,${USUAL_EMAIL}){0,4})?$` },
    (text) => {
      const addresses = listed(text);
      const wrong = addresses.some((address) => EMAIL.validate(address).error !== undefined);
      return wrong ? { rule: 'string.email' } : { value: addresses };
    },
    { none: [], notation },
  );

/** No leading zeros, because URL parsers read those as octal. */
const OCTET = String.raw`(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;

/** Pattern for common URLs in the OpenAPI document. The API also accepts rarer forms. */
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

const MAX_ZONE_LENGTH = 64;

/** Null means UTC. */
const windowTimezone = (notation: Notation): Field<string | null> =>
  written<string | null>(
    { maxLength: MAX_ZONE_LENGTH, examples: ['utc', 'contact', 'Asia/Kolkata'] },
    (text) => {
      const zone = text.trim();
      if (zone.toLowerCase() === 'utc') return { value: null };
      if (zone === 'contact' || (zone.length <= MAX_ZONE_LENGTH && isTimeZone(zone))) return { value: zone };
      return { rule: 'string.windowTimezone' };
    },
    { none: null, notation },
  );

const ruleProfile = (notation: Notation): Field<string | null> =>
  written<string | null>(
    { pattern: `^$|${PROFILE_NAME.source}`, maxLength: 64 },
    (text) => (PROFILE_NAME.test(text) ? { value: text } : { rule: 'string.profileName' }),
    { none: null, notation },
  );

type IntegerKind = (min?: number) => Field<number>;

/** Integer in a form. Accepts a sign, so that a negative number is reported as out of range. */
export const integerAsText: IntegerKind = (min = -Infinity) =>
  written<number>({ type: 'integer', ...(Number.isFinite(min) && { minimum: min }) }, (text) => {
    if (!/^-?\d{1,15}$/.test(text)) return { rule: 'number.integer' };
    return Number(text) < min ? { rule: 'number.min', limit: min } : { value: Number(text) };
  });

/** Documents the range only. A campaign rule enforces it with its own error code. */
const ranged = (field: Field<number>, minimum: number, maximum: number): Field<number> =>
  field.meta({ jsonSchema: { minimum, maximum } });

/** Sets the value of a field that a create request omits. Updates have no defaults. */
type WithDefault = <T>(field: Field<T>, value: T) => Field<T>;

/** Fields arrive as form text or as JSON, which differ only in how numbers are written. */
export const campaignFields = (integer: IntegerKind, notation: Notation, withDefault: WithDefault) => ({
  campaign_name: about(name(), 'At most 255 characters', 'November reminders'),
  // Only the minimum is checked here. A campaign rule checks the organization's maximum with its own error code.
  concurrency: about(
    ranged(integer(1), 1, MAX_LINES),
    "Maximum number of live calls, up to the organization's maximum",
    2,
  ),
  from_date: about(date(), 'First day, in UTC or `window_timezone`', '2026-11-02'),
  to_date: about(date(), 'Last day, in UTC or `window_timezone`', '2099-12-31'),
  start_time: about(
    time(),
    'Start of the daily window, inclusive, 02:30-14:29 in UTC or 08:00-21:00 in `window_timezone`',
    '04:00',
  ),
  end_time: about(
    time(),
    'End of the daily window, exclusive, 02:30-14:29 in UTC or 08:00-21:00 in `window_timezone`',
    '10:30',
  ),
  days_of_week: about(weekdays(), 'Comma-separated lowercase weekday names', 'monday,tuesday'),
  max_retries: about(
    withDefault(ranged(integer(), 1, 10), 3),
    'Maximum number of attempts per contact, 1-10. 1 means no redial',
    3,
  ),
  retry_delay_mins: about(
    withDefault(ranged(integer(), 0, 1440), 30),
    'Minutes from the end of an attempt to the next one, 0-1440',
    30,
  ),
  notification_emails: about(
    withDefault(emailList(notation), []),
    'Comma-separated e-mail addresses, at most 5',
  ),
  campaign_webhook_url: about(withDefault(httpUrl(notation), null), 'Webhook URL for campaign events'),
  per_call_webhook_url: about(
    withDefault(httpUrl(notation), null),
    'Webhook URL for the events of each call',
  ),
  window_timezone: about(
    withDefault(windowTimezone(notation), null),
    'Zone of the window, the weekdays and the dates: `utc` (default), `contact` for the own zone of each contact, or an IANA name',
  ),
  rule_profile: about(
    withDefault(ruleProfile(notation), null),
    'Name of a shipped rule profile or of one of your own. Blank means none',
    'us-tcpa',
  ),
});

/** The settings of a campaign, named as in the API. Times are minutes after midnight in UTC or `window_timezone`. */
export type CampaignTerms = {
  [Name in keyof ReturnType<typeof campaignFields>]: ValueOf<ReturnType<typeof campaignFields>[Name]>;
};

/** Contains only the fields that an update supplies, at least one. */
export type CampaignEdit = Partial<CampaignTerms>;

export function storedTerms(terms: CampaignTerms): StoredTerms {
  return {
    campaignName: terms.campaign_name,
    concurrency: terms.concurrency,
    fromDate: terms.from_date,
    toDate: terms.to_date,
    startMinute: terms.start_time,
    endMinute: terms.end_time,
    daysOfWeek: terms.days_of_week.join(','),
    maxAttempts: terms.max_retries,
    retryDelayMins: terms.retry_delay_mins,
    notificationEmails: terms.notification_emails,
    webhookUrl: terms.campaign_webhook_url,
    perCallWebhookUrl: terms.per_call_webhook_url,
    windowTimezone: terms.window_timezone,
    ruleProfile: terms.rule_profile,
  };
}

/** Returns the terms of a campaign as they would be after the edit. */
export function editedTerms(campaign: Campaign, edit: CampaignEdit): CampaignTerms {
  const days = campaign.daysOfWeek.split(',');
  return {
    campaign_name: campaign.campaignName,
    concurrency: campaign.concurrency,
    from_date: campaign.fromDate,
    to_date: campaign.toDate,
    start_time: campaign.startMinute,
    end_time: campaign.endMinute,
    days_of_week: WEEK.filter((day) => days.includes(day)),
    max_retries: campaign.maxAttempts,
    retry_delay_mins: campaign.retryDelayMins,
    notification_emails: campaign.notificationEmails,
    campaign_webhook_url: campaign.webhookUrl,
    per_call_webhook_url: campaign.perCallWebhookUrl,
    window_timezone: campaign.windowTimezone,
    rule_profile: campaign.ruleProfile,
    ...edit,
  };
}

const MAX_EMAILS = 5;
const RETRIES = { min: 1, max: 10 } as const;
const RETRY_DELAY_MINS = { min: 0, max: 1440 } as const;

interface CampaignLimits {
  /** In UTC. */
  legalWindow: DailyWindow;
  /** For campaigns with a `window_timezone`, in that zone. */
  legalWindowLocal: DailyWindow;
  /** The organization's maximum. */
  maxConcurrency: number;
  now: number;
}

interface Rule {
  /** The fields that the rule checks. */
  of: readonly (keyof CampaignTerms)[];
  broken: (terms: CampaignTerms, limits: CampaignLimits) => ApiError | null;
}

const refusal = (code: ErrorCode, message: string): ApiError => new ApiError({ code, message });

const timeWindow: Rule = {
  of: ['start_time', 'end_time', 'window_timezone'],
  broken({ start_time: start, end_time: end, window_timezone: zone }, { legalWindow, legalWindowLocal }) {
    const { startMinute, endMinute } = zone === null ? legalWindow : legalWindowLocal;
    if (start < startMinute || end > endMinute) {
      const allowed = `${timeOfDay(startMinute)}-${timeOfDay(endMinute)}`;
      const place = zone === null ? 'UTC' : 'in `window_timezone`';
      return refusal(
        'INVALID_TIME_WINDOW',
        `\`start_time\` and \`end_time\` must be within ${allowed} ${place}`,
      );
    }
    return end > start ? null : refusal('INVALID_TIME_WINDOW', '`end_time` must be after `start_time`');
  },
};

const concurrency: Rule = {
  of: ['concurrency'],
  broken: (terms, { maxConcurrency }) =>
    terms.concurrency <= maxConcurrency
      ? null
      : refusal(
          'CONCURRENCY_EXCEEDED',
          `\`concurrency\` must be at most ${maxConcurrency}, the organization's maximum`,
        ),
};

/** The date changes last at UTC-12. */
const LAST_OFFSET_MS = -12 * 60 * 60 * 1000;

/** Returns how far the zone of the window is ahead of UTC. Contacts can be in any zone. */
function windowOffsetMs(zone: string | null, now: number): number {
  if (zone === null) return 0;
  return zone === 'contact' ? LAST_OFFSET_MS : offsetMs(now, zone);
}

const dateRange: Rule = {
  of: ['from_date', 'to_date'],
  broken({ from_date: from, to_date: to, window_timezone: zone }, { now }) {
    if (from > to) return refusal('INVALID_DATE_RANGE', '`from_date` must not be after `to_date`');
    const today = new Date(now + windowOffsetMs(zone, now)).toISOString().slice(0, 10);
    return to >= today ? null : refusal('INVALID_DATE_RANGE', '`to_date` must not be in the past');
  },
};

const days: Rule = {
  of: ['days_of_week'],
  broken: (terms) =>
    terms.days_of_week.length > 0
      ? null
      : refusal('NO_DAYS_SELECTED', '`days_of_week` must contain at least one weekday'),
};

const retries: Rule = {
  of: ['max_retries', 'retry_delay_mins'],
  broken(terms) {
    if (terms.max_retries < RETRIES.min || terms.max_retries > RETRIES.max) {
      return refusal(
        'INVALID_RETRY_CONFIG',
        `\`max_retries\` must be between ${RETRIES.min} and ${RETRIES.max}`,
      );
    }
    const { min, max } = RETRY_DELAY_MINS;
    return terms.retry_delay_mins >= min && terms.retry_delay_mins <= max
      ? null
      : refusal('INVALID_RETRY_CONFIG', `\`retry_delay_mins\` must be between ${min} and ${max}`);
  },
};

const emails: Rule = {
  of: ['notification_emails'],
  broken: (terms) =>
    terms.notification_emails.length <= MAX_EMAILS
      ? null
      : refusal('TOO_MANY_EMAILS', `\`notification_emails\` must contain at most ${MAX_EMAILS} addresses`),
};

/** In the order of the table in `interface.md`. The first broken rule decides the error. */
const RULES: readonly Rule[] = [timeWindow, concurrency, dateRange, days, retries, emails];

/**
 * For an update, checks only the rules about its `changed` fields. Stored values may have become invalid, such as a last day that has
 * passed, and that must not prevent other changes.
 */
export function assertCampaignRules(
  terms: CampaignTerms,
  limits: CampaignLimits,
  changed?: readonly string[],
): void {
  for (const { of, broken } of RULES) {
    if (changed !== undefined && !of.some((name) => changed.includes(name))) continue;
    const refused = broken(terms, limits);
    if (refused !== null) throw refused;
  }
}

/** The same errors for the OpenAPI document. */
export const CAMPAIGN_REFUSALS: ApiError[] = [
  refusal(
    'INVALID_TIME_WINDOW',
    '`start_time` and `end_time` must be within the legal window, and `end_time` after `start_time`',
  ),
  refusal('CONCURRENCY_EXCEEDED', "`concurrency` must not exceed the organization's maximum"),
  refusal(
    'INVALID_DATE_RANGE',
    '`from_date` must not be after `to_date`, and `to_date` must not be in the past',
  ),
  refusal('NO_DAYS_SELECTED', '`days_of_week` must contain at least one weekday'),
  refusal(
    'INVALID_RETRY_CONFIG',
    '`max_retries` must be between 1 and 10, and `retry_delay_mins` between 0 and 1440',
  ),
  refusal('TOO_MANY_EMAILS', `\`notification_emails\` must contain at most ${MAX_EMAILS} addresses`),
];
