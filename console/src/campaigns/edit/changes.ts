import type { CampaignDetail } from '../../../../sdk/typescript/generated';
import { utcToZone } from '../../format/window';
import { noonOf, requestOfTerms, type Terms, type TermsRequest } from '../terms';
import { WEEKDAYS } from '../weekdays';

export function termsOf(campaign: CampaignDetail, zone: string): Terms {
  const from = campaign.start_date.slice(0, 10);
  const days = campaign.days_of_week.split(',').map((day) => day.trim());
  const { window_timezone: windowZone } = campaign;
  const local = (time: string): string =>
    windowZone === 'utc' ? (utcToZone(time, zone, noonOf(from))?.time ?? '') : time.slice(0, 5);
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
    windowZone,
    ruleProfile: campaign.rule_profile ?? '',
    emails: campaign.notification_emails.join(', '),
    campaignWebhook: campaign.webhook_url ?? '',
    callWebhook: campaign.per_call_webhook_url ?? '',
  };
}

/** Returns only the changed fields, because the API validates only the fields it receives. Returns null if nothing changed or a time is missing. */
export function changesOf(before: Terms, after: Terms, zone: string): Partial<TermsRequest> | null {
  const [oldRequest, newRequest] = [requestOfTerms(before, zone), requestOfTerms(after, zone)];
  if (newRequest === null) return null;
  const names = Object.keys(newRequest) as (keyof TermsRequest)[];
  const changed = names.filter((name) => newRequest[name] !== oldRequest?.[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, newRequest[name]]));
}
