/** Campaign settings in the forms' format, which users enter in their own time zone. */
import { zoneToUtc } from '../format/window';
import { WEEKDAYS, type Weekday } from './weekdays';

export interface Schedule {
  /** `utc`, `contact` for the own zone of each contact, or an IANA zone. With `utc`, users enter times in their own zone. */
  windowZone: string;
  from: string;
  to: string;
  start: string;
  end: string;
  days: readonly Weekday[];
}

/** Settings that users enter for a new campaign and can edit later. */
export interface Terms extends Schedule {
  name: string;
  lines: number;
  dials: number;
  pauseMins: number;
  /** Empty for none. */
  ruleProfile: string;
  emails: string;
  campaignWebhook: string;
  callWebhook: string;
}

export type TermsRequest = NonNullable<ReturnType<typeof requestOfTerms>>;

/** Converts the settings to the API's format. Returns null while a time is missing. */
export function requestOfTerms(terms: Terms, zone: string) {
  const [start, end] = [terms.start, terms.end].map((time) =>
    terms.windowZone === 'utc' ? zoneToUtc(time, zone, noonOf(terms.from))?.time : time,
  );
  if (!start || !end) return null;
  return {
    campaign_name: terms.name.trim(),
    concurrency: terms.lines,
    from_date: terms.from,
    to_date: terms.to,
    start_time: start,
    end_time: end,
    window_timezone: terms.windowZone,
    rule_profile: terms.ruleProfile,
    days_of_week: WEEKDAYS.filter((day) => terms.days.includes(day)).join(','),
    max_retries: terms.dials,
    retry_delay_mins: terms.pauseMins,
    notification_emails: terms.emails.trim(),
    campaign_webhook_url: terms.campaignWebhook.trim(),
    per_call_webhook_url: terms.callWebhook.trim(),
  };
}

/** Returns a time at which the day's UTC offset certainly applies. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);
