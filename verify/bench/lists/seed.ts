/** Fills the tables of one organization directly in Postgres, as years of use would. */
import { createHash } from 'node:crypto';
import type { Db } from '../../../db/kernel/connection';
import { keepPartitions, PARTITIONED_TABLES } from '../../../db/kernel/partitions';
import { rows } from '../../../db/kernel/query';

export interface ListSizes {
  calls: number;
  agents: number;
  campaigns: number;
  deliveries: number;
  /** Number of audit entries. All but one in a thousand are by an API key. */
  audit: number;
  /** Contacts of the newest campaign, which is paused with four in ten contacts left. */
  contacts: number;
}

/** Ids derived from the names in the seeded rows below. */
export const SEEDED_AGENT = idOf('agent3');
export const SEEDED_CAMPAIGN = idOf('campaign3');
export const CONTACTS_CAMPAIGN = idOf('campaign1');

/** Returns the same value as `md5('name')::uuid` in SQL. */
function idOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const AGENTS = `
insert into agents (id, organization_id, agent_name, display_name, status, published_at, last_edited_at, created_at)
select md5('agent' || n)::uuid, :organizationId, 'agent-' || n, 'Agent ' || n || ' of ' || (array['Sales', 'Support', 'Collections'])[1 + n % 3],
  'running', now(), now(), now() - make_interval(mins => n)
from generate_series(1, :count::integer) n`;

const VERSIONS = `
select store_version(md5('agent' || n)::uuid, jsonb_build_object(
    'persona', jsonb_build_object('identity', jsonb_build_object('system_prompt', words)),
    'training', jsonb_build_object('know_how', jsonb_build_object('faq', jsonb_build_object('The price', left(words, 900)))),
    'deployment', jsonb_build_object('phone', jsonb_build_object('call_type', jsonb_build_object('Inbound', '', 'Outbound', jsonb_build_array('+911140000000'))))),
  'running', now())
from generate_series(1, :count::integer) n
cross join lateral (select string_agg(md5(n::text || word), ' ') as words from generate_series(1, 100) word) prompt`;

const CAMPAIGNS = `
insert into campaigns (id, organization_id, agent_id, campaign_name, status, reported_status, contact_source_type, contact_file_key,
  days_of_week, start_minute, end_minute, from_date, to_date, max_attempts, retry_delay_mins, concurrency,
  total_contacts, completed_contacts, created_at, updated_at, check_at, ended_at)
select md5('campaign' || n)::uuid, :organizationId, md5('agent' || 1 + n % 20)::uuid, 'Reminders, week ' || n,
  case when n = 1 then 'paused' when n % 10 = 0 then 'cancelled' else 'completed' end, case when n = 1 then 'paused' else 'completed' end,
  'csv', 'contacts/' || md5(n::text), 'monday,tuesday,wednesday,thursday,friday', 240, 630, '2026-11-02',
  case when n = 1 then current_date + 30 else '2026-11-06' end, 3, 30, 10,
  case when n = 1 then :contacts else 100 end, 80, now() - make_interval(hours => n), now(), now(), case when n > 1 then now() end
from generate_series(1, :count::integer) n`;

const CONTACTS = `
insert into contacts (campaign_id, row_number, name, phone_number, variables, state, attempts)
select md5('campaign1')::uuid, n + 1, 'Contact ' || n, '+9198' || lpad(n::text, 8, '0'), jsonb_build_object('city', 'Pune', 'due', n),
  case when n % 5 = 0 then 'failed' when n % 5 < 3 then 'pending' else 'completed' end, case when n % 5 in (1, 2) then 0 else 1 end
from generate_series(1, :count::integer) n`;

/**
 * Inserts calls. Number n is the nth newest; half of the calls belong to a campaign, and six in ten were answered. `month` is an SQL
 * expression.
 */
const callsInto = (table: 'calls' | 'all_calls', month: string): string => `
insert into ${table} (call_id, organization_id, agent_id, agent_version, campaign_id, call_type, direction, name, from_number, to_number,
  metadata, stage, call_status, end_reason, accepted_at, waiting_since, granted_at, requested_at, reported_at, carrier_id,
  dialing_at, ringing_at, answered_at, ended_at, duration_ms, call_cost, post_processing_status, summary, entity, eval_tag,
  conversation_eval, conversation_quality, tags, outcome, concluded_at, month)
select 'outbound-' || extract(epoch from at)::bigint || '-' || md5(n::text), :organizationId, md5('agent' || 1 + n % 20)::uuid, 1,
  case when n % 2 = 0 then md5('campaign' || 1 + n % 50)::uuid end, 'Outbound', 'Outbound', 'Contact ' || n, '+911140000000',
  '+9198' || lpad((n % 100000000)::text, 8, '0'),
  jsonb_build_object('city', 'Pune', 'plan', 'yearly', 'account', md5(n::text), 'amount_due', n % 5000),
  'over', status, 'agent', at, at, at, at, at, 'carrier-' || n, at, at + interval '2 s',
  case when answered then at + interval '9 s' end, at + interval '70 s', case when answered then 61000 else 0 end,
  case when answered then 2 else 0 end, case when answered then 'completed' else 'not_processed' end,
  case when answered then 'The customer was reminded of the amount due and promised to pay within the week; wants a receipt by mail.' end,
  case when answered then jsonb_build_object('will_pay', true, 'date', '2026-11-09', 'reason', 'salary comes on the first') end,
  case when answered then 'promise to pay' end,
  case when answered then jsonb_build_object('polite', true, 'goal_reached', true, 'remarks', 'The agent kept to the script.') end,
  case when answered then jsonb_build_object('score', 8, 'sentiment', 'neutral', 'agent_talk_ratio', 0.6, 'interruptions', 1,
    'avg_response_ms', 900, 'p95_response_ms', 1400) end,
  case when answered then array['promise'] else '{}' end, case when answered then 'promise to pay' end, at + interval '71 s', ${month}
from generate_series(:last::integer, :first::integer, -1) n
cross join lateral (select date_trunc('minute', now()) - make_interval(secs => n * 30) as at,
  case when n % 1000 = 0 then 'error' else (array['completed', 'completed', 'completed', 'User disconnected', 'User disconnected',
    'voicemail', 'no answer', 'no answer', 'busy', 'failed'])[1 + n % 10] end as status) seen
cross join lateral (select status in ('completed', 'User disconnected', 'voicemail') as answered) reached`;

/** Inserts segments for every twentieth call. */
const segmentsInto = (table: 'call_segments' | 'all_call_segments', calls: string): string => `
insert into ${table} (call_id, start_ms, speaker, end_ms, text, seq, month)
select call_id, 5000 * line, case when line % 2 = 0 then 'agent' else 'user' end, 5000 * line + 4000,
  'This is what was said as line ' || line || ', about as long as people speak in a turn.', line + 1, month
from ${calls} cross join generate_series(0, 7) line
where organization_id = :organizationId and carrier_id like any (array['%00', '%20', '%40', '%60', '%80'])`;

/** Search words of archived calls, which production writes when it concludes a call. */
const WORDS = `
insert into call_words (call_id, organization_id, agent_id, campaign_id, final_status, accepted_at, words)
select k.call_id, k.organization_id, k.agent_id, k.campaign_id, k.final_status, k.accepted_at, array_to_tsvector(words_of(said.text))
from all_calls k cross join lateral (
  select string_agg(text, ' ' order by start_ms) as text from all_call_segments s where s.call_id = k.call_id and s.month = k.month) said
where k.organization_id = :organizationId and k.month is not null and said.text is not null`;

const DELIVERIES = `
insert into webhook_deliveries (id, event_id, organization_id, call_id, event, url, body, status, created_at, attempts_made)
select overlay(md5('delivery' || call_id) placing lpad(to_hex((extract(epoch from accepted_at) * 1000)::bigint), 12, '0') from 1)::uuid, md5('event' || call_id)::uuid, organization_id, call_id, 'call.completed', 'https://hooks.example.test/calls',
  repeat(md5(call_id), 20), 'delivered', accepted_at, 1
from all_calls where organization_id = :organizationId order by accepted_at desc, call_id desc limit :count`;

const ATTEMPTS = `
insert into webhook_attempts (delivery_id, attempt, at, status_code, duration_ms)
select id, 1, created_at, 200, 40 from webhook_deliveries where organization_id = :organizationId`;

/** Inserts audit entries. Number n is the nth newest. */
const AUDIT = `
insert into audit_log (at, organization_id, actor_kind, actor_id, action, subject_id)
select now() - make_interval(secs => n * 30), :organizationId::uuid, case when n % 1000 = 0 then 'operator' else 'api_key' end,
  md5('key' || n % 5), case when n % 1000 = 0 then 'org.update' when n % 500 = 7 then 'campaign.update' else 'call.dispatch' end,
  md5('campaign' || 1 + n % 50)::uuid
from generate_series(1, :count::integer) n`;

/** Number of calls per statement. */
const CHUNK = 50_000;
/** Calls of the last 31 days, one per 30 seconds, which aren't archived yet. */
const PRESENT = 31 * 2_880;

export async function seedLists(db: Db, organizationId: string, sizes: ListSizes): Promise<void> {
  await rows(db, AGENTS, { organizationId, count: sizes.agents });
  await rows(db, VERSIONS, { count: sizes.agents });
  await rows(db, CAMPAIGNS, { organizationId, count: sizes.campaigns, contacts: sizes.contacts });
  await inBulk(db, 'contacts', () => rows(db, CONTACTS, { count: sizes.contacts }));
  await seedMonths(db, organizationId, sizes.calls);
  const present = Math.min(sizes.calls, PRESENT);
  await inBulk(db, 'calls', () =>
    rows(db, callsInto('calls', 'null'), { organizationId, first: 1, last: present }),
  );
  await inBulk(db, 'call_segments', () =>
    rows(db, segmentsInto('call_segments', 'calls'), { organizationId }),
  );
  await makeMonths(db, organizationId);
  await inBulk(db, 'webhook_deliveries', () =>
    rows(db, DELIVERIES, { organizationId, count: sizes.deliveries }),
  );
  await inBulk(db, 'webhook_attempts', () => rows(db, ATTEMPTS, { organizationId }));
  await inBulk(db, 'audit_log', () => rows(db, AUDIT, { organizationId, count: sizes.audit }));
  // Leaves the tables as autovacuum would leave them.
  await rows(db, 'vacuum analyze');
}

/** Inserts archived calls into the monthly partitions that the retention schedule would move them to. */
async function seedMonths(db: Db, organizationId: string, calls: number): Promise<void> {
  const months = `select make_call_month(month) from unnest(months_of(array(
    select 'outbound-' || extract(epoch from now() - make_interval(days => day))::bigint || '-' from generate_series(31, :days::integer) day))) month`;
  await rows(db, months, { days: Math.ceil(calls / 2_880) + 1 });
  const id = `'outbound-' || extract(epoch from at)::bigint || '-'`;
  // Inserts the oldest first, because that is the order in which calls arrive.
  for (let last = calls; last > PRESENT; last -= CHUNK) {
    const first = Math.max(PRESENT + 1, last - CHUNK + 1);
    await rows(db, callsInto('all_calls', `(months_of(array[${id}]))[1]`), { organizationId, first, last });
  }
  await rows(
    db,
    segmentsInto('all_call_segments', '(select * from all_calls where month is not null) settled'),
    { organizationId },
  );
  await rows(db, WORDS, { organizationId });
  await rows(db, `select add_to_list(:organizationId, 'calls', '', :settled)`, {
    organizationId,
    settled: Math.max(0, calls - PRESENT),
  });
}

/** Creates the monthly partitions for webhooks and audit. */
async function makeMonths(db: Db, organizationId: string): Promise<void> {
  const months = await rows<{ month: Date }>(
    db,
    `select distinct date_trunc('month', accepted_at) as month from all_calls where organization_id = :organizationId order by 1`,
    { organizationId },
  );
  for (const { month } of months) {
    for (const table of PARTITIONED_TABLES)
      await keepPartitions(db, table, { now: month.getTime(), keepFrom: null });
  }
}

/**
 * Inserts without foreign key checks and indexes, which take most of the time, and recreates the indexes at the end. Triggers that maintain
 * totals stay active.
 */
async function inBulk(db: Db, table: string, insert: () => Promise<unknown>): Promise<void> {
  const indexes = await rows<{ name: string; definition: string }>(
    db,
    `select indexname as name, indexdef as definition from pg_indexes i
     where tablename = :table and not exists (select 1 from pg_constraint where conname = i.indexname)
       -- An index that belongs to a partitioned table cannot be dropped alone.
       and not exists (select 1 from pg_inherits where inhrelid = format('%I', i.indexname)::regclass)`,
    { table },
  );
  const counted = await rows<{ name: string }>(
    db,
    `select tgname as name from pg_trigger where tgrelid = :table::regclass and not tgisinternal`,
    { table },
  );
  for (const { name } of indexes) await rows(db, `drop index ${name}`);
  await rows(db, `alter table ${table} disable trigger all`);
  for (const { name } of counted) await rows(db, `alter table ${table} enable trigger ${name}`);
  await insert();
  await rows(db, `alter table ${table} enable trigger all`);
  // Also creates the indexes of partitions.
  for (const { definition } of indexes) await rows(db, definition.replace(' ON ONLY ', ' ON '));
}
