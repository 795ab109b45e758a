import type { CreateCampaign } from '../../../../sdk/typescript/generated';
import { WEEKDAYS, type Weekday } from '../weekdays';
import { zoneToUtc } from '../../format/window';

/** Schedule in the form's format. The window is in the user's time zone. */
export interface Schedule {
  from: string;
  to: string;
  start: string;
  end: string;
  days: readonly Weekday[];
}

export interface Draft extends Schedule {
  file: File | null;
  name: string;
  agentId: string;
  lines: number;
  dials: number;
  pauseMins: number;
  checksRegistry: boolean;
  emails: string;
  campaignWebhook: string;
  callWebhook: string;
}

const DAY_MS = 86_400_000;

export function emptyDraft(now: Date): Draft {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return {
    file: null,
    name: '',
    agentId: '',
    lines: 1,
    from: day(now.getTime()),
    to: day(now.getTime() + 14 * DAY_MS),
    start: '',
    end: '',
    days: WEEKDAYS.slice(0, 5),
    dials: 3,
    pauseMins: 30,
    checksRegistry: false,
    emails: '',
    campaignWebhook: '',
    callWebhook: '',
  };
}

/** Names what the user still has to fill in. */
export function missingIn(draft: Draft): string[] {
  return [
    draft.file === null && 'a contact file',
    draft.name.trim() === '' && 'a name',
    draft.agentId === '' && 'an agent',
    (draft.start === '' || draft.end === '') && 'the hours',
    draft.days.length === 0 && 'a day of the week',
  ].filter((each) => each !== false);
}

/** Builds the API request. Returns null while a field is missing. */
export function requestOf(draft: Draft, zone: string): (CreateCampaign & { csv_file: File }) | null {
  const on = new Date(`${draft.from}T12:00:00Z`);
  const start = zoneToUtc(draft.start, zone, on);
  const end = zoneToUtc(draft.end, zone, on);
  if (draft.file === null || start === null || end === null || missingIn(draft).length > 0) return null;
  return {
    csv_file: draft.file,
    campaign_name: draft.name.trim(),
    agent_id: draft.agentId,
    concurrency: draft.lines,
    from_date: draft.from,
    to_date: draft.to,
    start_time: start.time,
    end_time: end.time,
    days_of_week: WEEKDAYS.filter((day) => draft.days.includes(day)).join(','),
    max_retries: draft.dials,
    retry_delay_mins: draft.pauseMins,
    perform_dnd_check: draft.checksRegistry,
    notification_emails: draft.emails.trim(),
    campaign_webhook_url: draft.campaignWebhook.trim(),
    per_call_webhook_url: draft.callWebhook.trim(),
  };
}
