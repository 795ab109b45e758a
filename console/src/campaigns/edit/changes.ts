import type { CampaignDetail } from '../../../../sdk/typescript/generated';
import { utcToZone, zoneToUtc } from '../../format/window';
import type { Schedule } from '../new/draft';
import { WEEKDAYS } from '../weekdays';

/** Editable campaign settings in the form's format. */
export interface Terms extends Schedule {
  name: string;
  lines: number;
  dials: number;
  pauseMins: number;
  emails: string;
  webhook: string;
  callWebhook: string;
}

export function termsOf(campaign: CampaignDetail, zone: string): Terms {
  const from = campaign.start_date.slice(0, 10);
  const days = campaign.days_of_week.split(',').map((day) => day.trim());
  const local = (time: string): string => utcToZone(time, zone, noonOf(from))?.time ?? '';
  return {
    name: campaign.campaign_name,
    lines: campaign.call_concurrency,
    from,
    to: campaign.end_date.slice(0, 10),
    start: local(campaign.time_range_from),
    end: local(campaign.time_range_to),
    days: WEEKDAYS.filter((day) => days.includes(day)),
    dials: campaign.max_retries,
    pauseMins: campaign.retry_after_mins,
    emails: campaign.notification_emails.join(', '),
    webhook: campaign.webhook_url ?? '',
    callWebhook: campaign.per_call_webhook_url ?? '',
  };
}

type Request = NonNullable<ReturnType<typeof requestOf>>;

/** Returns only the changed fields, because the API validates only what is sent. Returns null if no field differs or a time is missing. */
export function changesOf(before: Terms, after: Terms, zone: string): Partial<Request> | null {
  const [was, is] = [requestOf(before, zone), requestOf(after, zone)];
  if (is === null) return null;
  const names = Object.keys(is) as (keyof Request)[];
  const changed = names.filter((name) => is[name] !== was?.[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, is[name]]));
}

function requestOf(terms: Terms, zone: string) {
  const on = noonOf(terms.from);
  const start = zoneToUtc(terms.start, zone, on);
  const end = zoneToUtc(terms.end, zone, on);
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
    campaign_webhook_url: terms.webhook.trim(),
    per_call_webhook_url: terms.callWebhook.trim(),
  };
}

const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);
