/** Creates organizations with one dialling campaign each, directly in Postgres. */
import type { Db } from '../../db/kernel/connection';
import { rows } from '../../db/kernel/query';

export interface EndsPlan {
  organizations: number;
  linesEach: number;
  /** Total over all organizations. */
  contacts: number;
  /** Number of earlier campaigns' calls over all organizations, so that Postgres plans for tables of a realistic size. */
  endedBefore: number;
}

export interface SeededCampaign {
  organizationId: string;
  campaignId: string;
}

const ORGANIZATIONS = `
insert into organizations (id, name, max_concurrency) select md5('client' || n)::uuid, 'Client ' || n, :linesEach from generate_series(1, :organizations::integer) n`;

const AGENTS = `
insert into agents (id, organization_id, agent_name, display_name, status, published_at, last_edited_at, created_at)
select md5('agent' || n)::uuid, md5('client' || n)::uuid, 'agent', 'Agent', 'running', now(), now(), now() from generate_series(1, :organizations::integer) n`;

const VERSIONS = `
select store_version(md5('agent' || n)::uuid,
  jsonb_build_object('persona', jsonb_build_object('identity', jsonb_build_object('system_prompt', 'Talk.'))), 'running', now())
from generate_series(1, :organizations::integer) n`;

const ENDED_CAMPAIGNS = `
insert into campaigns (id, organization_id, agent_id, campaign_name, status, reported_status, contact_source_type, days_of_week, start_minute, end_minute,
  from_date, to_date, max_attempts, retry_delay_mins, concurrency, total_contacts, completed_contacts, created_at, updated_at, ended_at, check_at)
select md5('ended campaign' || n)::uuid, md5('client' || n)::uuid, md5('agent' || n)::uuid, 'Invitations', 'completed', 'completed', 'csv', 'monday', 0, 1439,
  '2026-10-26', '2026-10-30', 3, 30, :linesEach, :endedEach, :endedEach, now() - interval '7 days', now(), now(), now()
from generate_series(1, :organizations::integer) n`;

const ENDED_CONTACTS = `
insert into contacts (campaign_id, row_number, name, phone_number, variables, state, attempts)
select md5('ended campaign' || n)::uuid, row, 'Contact ' || row, '+9197' || lpad(row::text, 8, '0'), '{}', 'completed', 1
from generate_series(1, :endedEach::integer) row, generate_series(1, :organizations::integer) n`;

const ENDED_CALLS = `
insert into calls (call_id, organization_id, agent_id, agent_version, campaign_id, contact_id, attempt, call_type, direction, name, to_number, metadata,
  accepted_at, stage, call_status, requested_at, answered_at, ended_at, concluded_at)
select 'outbound-1793500000-' || md5(ct.id::text), c.organization_id, c.agent_id, 1, c.id, ct.id, 1, 'Outbound', 'Outbound', ct.name, ct.phone_number, '{}',
  now() - interval '6 days', 'over', 'completed', now() - interval '6 days', now() - interval '6 days', now() - interval '6 days', now() - interval '6 days'
from contacts ct join campaigns c on c.id = ct.campaign_id`;

const CAMPAIGNS = `
insert into campaigns (id, organization_id, agent_id, campaign_name, status, reported_status, contact_source_type, days_of_week, start_minute, end_minute,
  from_date, to_date, max_attempts, retry_delay_mins, concurrency, dialing_until, total_contacts, in_progress_contacts, created_at, updated_at, check_at)
select md5('campaign' || n)::uuid, md5('client' || n)::uuid, md5('agent' || n)::uuid, 'Reminders', 'active', 'active', 'csv', 'monday', 0, 1439,
  '2026-11-02', '2026-11-06', 3, 30, :linesEach, now() + interval '1 day', :contactsEach, 0, now(), now(), now()
from generate_series(1, :organizations::integer) n`;

const CONTACTS = `
insert into contacts (campaign_id, row_number, name, phone_number, variables, state)
select md5('campaign' || n)::uuid, row, 'Contact ' || row, '+9198' || lpad(row::text, 8, '0'), jsonb_build_object('city', 'Pune', 'due', row), 'pending'
from generate_series(1, :contactsEach::integer) row, generate_series(1, :organizations::integer) n`;

export async function seedEnds(
  db: Db,
  { organizations, linesEach, contacts, endedBefore }: EndsPlan,
): Promise<SeededCampaign[]> {
  const contactsEach = Math.ceil(contacts / organizations);
  const endedEach = Math.ceil(endedBefore / organizations);
  await rows(db, ORGANIZATIONS, { organizations, linesEach });
  await rows(db, AGENTS, { organizations });
  await rows(db, VERSIONS, { organizations });
  await rows(db, ENDED_CAMPAIGNS, { organizations, linesEach, endedEach });
  await rows(db, ENDED_CONTACTS, { organizations, endedEach });
  await rows(db, ENDED_CALLS);
  await rows(db, CAMPAIGNS, { organizations, linesEach, contactsEach });
  await rows(db, CONTACTS, { organizations, contactsEach });
  // Leaves the tables as autovacuum would leave them.
  await rows(db, 'vacuum analyze');
  return rows<SeededCampaign>(
    db,
    'select organization_id as "organizationId", id as "campaignId" from campaigns where ended_at is null order by id',
  );
}
