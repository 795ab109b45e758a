/** 8. Everything the API acknowledged survives a restart: each 2xx has its row, and its effect unless a later request changed it. */
import { nationalDigits } from '../dials';
import { type CampaignRecord, isoOf } from '../evidence';
import type { Asked } from '../requests';
import type { CampaignRow } from '../rows';
import type { Run } from '../run';
import { minuteOf, type Terms, termsOf } from '../terms';

export function acknowledgedKept(run: Run): string[] {
  return [
    ...run.evidence.campaigns.flatMap((campaign) => campaignFaults(run, campaign)),
    ...run.asked.filter(({ acknowledged }) => acknowledged).flatMap((asked) => effectFaults(run, asked)),
  ];
}

function campaignFaults(run: Run, campaign: CampaignRecord): string[] {
  const row = run.rows.campaigns.find(({ id }) => id === campaign.id);
  if (row === undefined) return [`campaign ${campaign.id} was acknowledged but is missing from Postgres`];
  return [...contactFaults(run, campaign), ...termFaults(run, campaign, row)];
}

function contactFaults({ rows }: Run, campaign: CampaignRecord): string[] {
  const kept = new Map(
    rows.contacts
      .filter(({ campaign_id }) => campaign_id === campaign.id)
      .map(({ row_number, phone_number }) => [row_number, nationalDigits(phone_number)]),
  );
  const missing = campaign.contacts.filter(
    ({ row, phone_number }) => kept.get(row) !== nationalDigits(phone_number),
  );
  if (missing.length === 0) return [];
  const named = missing
    .slice(0, 10)
    .map(({ row }) => row)
    .join(', ');
  return [
    `campaign ${campaign.id} was accepted with ${campaign.contacts.length} contacts, but ${missing.length} of them differ (rows ${named})`,
  ];
}

/** Each field must have the value from the creation or from one of the last edits. An edit without a response may or may not apply. */
function termFaults(run: Run, campaign: CampaignRecord, row: CampaignRow): string[] {
  const possible = run.terms(campaign).possible(Infinity);
  const stored = storedTerms(row);
  const names = Object.keys(stored) as (keyof Terms)[];
  return names.flatMap((name) => {
    const allowed = new Set(possible.map((terms) => comparable(name, terms[name])));
    if (allowed.has(comparable(name, stored[name]))) return [];
    const edits = run.asked.filter(({ kind, campaignId }) => kind === 'edit' && campaignId === campaign.id);
    const from = edits.map(({ line }) => `acknowledged.jsonl:${line}`).join(', ') || 'its creation';
    return `campaign ${campaign.id} has ${name} ${stored[name]}, but the acknowledged value is ${[...allowed].join(' or ')} (${from}; created with ${termsOf(campaign)[name]})`;
  });
}

function storedTerms(row: CampaignRow): Terms {
  return {
    concurrency: row.concurrency,
    maxRetries: row.max_attempts,
    retryDelayMins: row.retry_delay_mins,
    fromDate: row.from_date,
    toDate: row.to_date,
    startTime: timeOf(row.start_minute),
    endTime: timeOf(row.end_minute),
    daysOfWeek: row.days_of_week,
  };
}

const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

function comparable(name: keyof Terms, value: string | number): string {
  if (name === 'startTime' || name === 'endTime') return timeOf(minuteOf(String(value)));
  if (name !== 'daysOfWeek') return String(value);
  return String(value)
    .split(',')
    .map((day) => day.trim())
    .sort()
    .join(',');
}

function effectFaults(run: Run, asked: Asked): string[] {
  const when = `at ${isoOf(asked.effectByMs)} (acknowledged.jsonl:${asked.line})`;
  switch (asked.kind) {
    case 'create':
      return isCampaignKept(run, asked)
        ? []
        : [`campaign ${asked.campaignId} was acknowledged ${when} but is missing from Postgres`];
    case 'dispatch':
    case 'hangUp':
      return callFaults(run, asked, when);
    case 'cancel':
    case 'pause':
    case 'resume': {
      const row = run.rows.campaigns.find(({ id }) => id === asked.campaignId);
      const undone = row !== undefined && isUndone(run, asked, row);
      return undone
        ? [`campaign ${asked.campaignId} is ${row.status}, but its ${asked.kind} was acknowledged ${when}`]
        : [];
    }
    case 'edit':
      return [];
  }
}

const isCampaignKept = ({ rows }: Run, { campaignId }: Asked): boolean =>
  campaignId !== null && rows.campaigns.some(({ id }) => id === campaignId);

function callFaults({ rows }: Run, { kind, callId }: Asked, when: string): string[] {
  // For a dispatch to a browser, there is no call that ends.
  if (callId === null) return [];
  const what =
    kind === 'dispatch'
      ? `call ${callId} was accepted ${when}`
      : `the end of call ${callId} was accepted ${when}`;
  const row = rows.calls.find(({ call_id }) => call_id === callId);
  if (row === undefined) return [`${what} but is missing from Postgres`];
  return row.stage === 'over' ? [] : [`${what} but is still ${row.call_status} at the end of the run`];
}

/** Returns true if the row contradicts the request and no later request explains why. */
function isUndone({ asked: all }: Run, asked: Asked, { status }: CampaignRow): boolean {
  const later = all.filter(
    (other) => other.campaignId === asked.campaignId && other !== asked && other.effectByMs > asked.sentMs,
  );
  const laterIs = (...kinds: Asked['kind'][]): boolean => later.some(({ kind }) => kinds.includes(kind));
  switch (asked.kind) {
    case 'cancel':
      return status !== 'cancelled';
    case 'pause':
      return !['paused', 'completed', 'cancelled'].includes(status) && !laterIs('resume');
    case 'resume':
      return status === 'paused' && !laterIs('pause', 'edit');
    default:
      return false;
  }
}
