/** Campaign settings in the forms' format, which users enter in their own time zone. */
import { zoneToUtc } from '../format/window';
import { WEEKDAYS, type Weekday } from './weekdays';

/** The window is in the user's time zone. */
export interface Schedule {
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
  emails: string;
  campaignWebhook: string;
  callWebhook: string;
}

export type TermsRequest = NonNullable<ReturnType<typeof requestOfTerms>>;

/** Converts the settings to the API's format. Returns null while a time is missing. */
export function requestOfTerms(terms: Terms, zone: string) {
  const start = zoneToUtc(terms.start, zone, noonOf(terms.from));
  const end = zoneToUtc(terms.end, zone, noonOf(terms.from));
  if (start === null || end === null) return null;
  return {
    campaign_name: terms.name.trim(),
    concurrency: terms.lines,
    from_date: terms.from,
    to_date: terms.to,
    start_time: start.time,
    end_time: end.time,
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
