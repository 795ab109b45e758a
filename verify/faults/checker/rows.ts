/** Reads the rows that Postgres contains at the end of a run. */
import { Client } from 'pg';

export interface CampaignRow {
  id: string;
  status: string;
  from_date: string;
  to_date: string;
  start_minute: number;
  end_minute: number;
  days_of_week: string;
  max_attempts: number;
  retry_delay_mins: number;
  concurrency: number;
  campaign_name: string;
  webhook_url: string | null;
  per_call_webhook_url: string | null;
  total_contacts: number;
  in_progress_contacts: number;
  completed_contacts: number;
  failed_contacts: number;
  ended_at: string | null;
}

export interface ContactRow {
  campaign_id: string;
  row_number: number;
  phone_number: string;
  state: string;
  reason: string | null;
}

export interface CallRow {
  call_id: string;
  organization_id: string;
  campaign_id: string | null;
  contact_row: number | null;
  direction: string;
  from_number: string | null;
  to_number: string | null;
  stage: string;
  call_status: string;
  end_reason: string | null;
  is_callback: boolean;
  hung_up: boolean;
  /** The call rang longer than allowed. The platform hangs up such a call, and the carrier reports the end as `platform`. */
  outlasted: boolean;
  call_cost: number;
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  organization_id: string;
  campaign_id: string | null;
  call_id: string | null;
  event: string;
  body: string;
  status: string;
  next_attempt_at: string | null;
  /** Number of attempts in the rounds before a redelivery. */
  earlier_attempts: number;
}

/** `at` is a time on the worker's clock. */
export interface AttemptRow {
  delivery_id: string;
  attempt: number;
  at: string;
  status_code: number | null;
  duration_ms: number;
}

export interface Rows {
  /** Time at which the rows were read, which is the end of the run. */
  read_at: string;
  campaigns: CampaignRow[];
  contacts: ContactRow[];
  calls: CallRow[];
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
}

/** Formats a timestamp as an ISO string, so that rows from Postgres look like those that tests write. */
const iso = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const READ = {
  now: `select ${iso('clock_timestamp()')} as read_at`,
  campaigns: `select id, status, from_date, to_date, start_minute, end_minute, days_of_week, max_attempts, retry_delay_mins,
    concurrency, campaign_name, webhook_url, per_call_webhook_url, total_contacts, in_progress_contacts, completed_contacts,
    failed_contacts, ${iso('ended_at')} as ended_at from campaigns`,
  contacts:
    'select campaign_id, row_number, phone_number, state, reason from contacts order by campaign_id, row_number',
  calls: `select k.call_id, k.organization_id, k.campaign_id, ct.row_number as contact_row, k.direction, k.from_number, k.to_number, k.stage, k.call_status, k.end_reason,
    k.callback_of is not null as is_callback, k.hang_up_requested_at is not null as hung_up,
    coalesce(k.end_reason = 'platform' and k.answered_at is null and k.reported_at - k.requested_at > interval '60 s', false) as outlasted,
    coalesce(k.call_cost, 0)::float8 as call_cost
    from calls k left join contacts ct on ct.id = k.contact_id`,
  deliveries: `select id, event_id, organization_id, campaign_id, call_id, event, body, status, ${iso('next_attempt_at')} as next_attempt_at,
    earlier_attempts from webhook_deliveries`,
  attempts: `select delivery_id, attempt, ${iso('at')} as at, status_code, duration_ms from webhook_attempts order by delivery_id, attempt`,
};

export async function readRows(url: string): Promise<Rows> {
  const client = new Client({ connectionString: url, application_name: 'fault checker' });
  await client.connect();
  try {
    // A single snapshot makes all rows consistent.
    await client.query('begin isolation level repeatable read read only');
    const read = async <T extends object>(sql: string): Promise<T[]> => (await client.query<T>(sql)).rows;
    const [now] = await read<{ read_at: string }>(READ.now);
    if (now === undefined) throw new Error('Postgres returned no time');
    return {
      ...now,
      campaigns: await read<CampaignRow>(READ.campaigns),
      contacts: await read<ContactRow>(READ.contacts),
      calls: await read<CallRow>(READ.calls),
      deliveries: await read<DeliveryRow>(READ.deliveries),
      attempts: await read<AttemptRow>(READ.attempts),
    };
  } finally {
    await client.end();
  }
}
