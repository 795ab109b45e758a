/**
 * Callers of our own numbers: which agent answers which number, what the carrier was told of it, and the transaction that lets a caller in.
 */
import type { Knex } from 'knex';
import { editFunction, undoEdits } from './edit-function';

const ROUTES = `
-- One row for each number, so that what one agent gives up and another takes is told to the carrier in order.
create table inbound_routes (
  -- What workflows and logs name instead of the number.
  id uuid primary key,
  number text not null unique,
  -- Whose callers they are. Null: nobody's any more, and the carrier is to forget the number; the row goes once it has.
  client_id uuid references clients,
  agent_id uuid unique references agents,
  -- Counts the changes of what the carrier is to know; told_revision is the last that it was told.
  revision bigint not null default 1,
  told_revision bigint,
  told_at timestamptz,
  -- Why the carrier would not have it, without the number; null where it did not refuse.
  refusal text,
  -- When reconciliation is to look at it.
  look_at timestamptz not null,
  state text not null generated always as (
    case when agent_id is null then 'to be removed' when told_revision = revision then 'in place' else 'wanted' end) stored
);
create index inbound_routes_by_look on inbound_routes (look_at);
-- Agents that took their number before there were routes. Two of one number cannot be; the older would be right.
insert into inbound_routes (id, number, client_id, agent_id, look_at)
  select distinct on (config #>> '{deployment,phone,call_type,Inbound}')
    gen_random_uuid(), config #>> '{deployment,phone,call_type,Inbound}', client_id, id, now()
  from agents where not archived and config #>> '{deployment,phone,call_type,Inbound}' <> ''
  order by config #>> '{deployment,phone,call_type,Inbound}', created_at;`;

const COLUMNS = `
-- Of an inbound call, while its workflow is not known to run: since when it should.
alter table calls add column to_start_since timestamptz;
create index calls_to_start on calls (to_start_since) where to_start_since is not null;
-- The carrier announces a caller until it has our answer: each time it means the same call.
create unique index calls_of_callers on calls (carrier_id) where direction = 'Incoming' and medium = 'telephony';`;

/**
 * Decides on a caller, once: {kind: 'accepted', callId, clientId, agentId, config, toStart}, 'busy' or 'unknown'. p_event: {carrierId, callId,
 * to, from, at}. An accepted call has its line and is placed; one that finds no free line is on record as over. No free line is kept from a
 * call that waits: those get theirs in the transaction that frees it.
 */
const TAKE_INBOUND = `
create function take_inbound(p_event jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  answer jsonb := inbound_answer(p_event->>'carrierId');
  r inbound_routes%rowtype;
  a agents%rowtype;
  free boolean;
begin
  if answer is not null then return answer; end if;
  select * into r from inbound_routes where number = p_event->>'to' and agent_id is not null;
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  perform 1 from clients where id = r.client_id for no key update;
  select max_concurrency > (select count(*) from lines where client_id = r.client_id) into free from clients where id = r.client_id;
  select * into a from agents where id = r.agent_id;
  insert into calls (call_id, client_id, agent_id, agent_version, call_type, direction, from_number, to_number, stage, call_status,
      end_reason, accepted_at, granted_at, carrier_id, heard_at, ringing_at, ended_at, concluded_at, to_start_since)
    values (p_event->>'callId', r.client_id, a.id, a.version, 'Inbound', 'Incoming', p_event->>'from', r.number,
      case when free then 'placed' else 'over' end, case when free then 'ringing' else 'busy' end, case when free then null else 'lines_busy' end,
      p_now, case when free then p_now end, p_event->>'carrierId', p_now, (p_event->>'at')::timestamptz,
      case when free then null else p_now end, case when free then null else p_now end, case when free then p_now end)
    on conflict do nothing;
  if found and free then
    insert into lines (call_id, client_id, taken_at) values (p_event->>'callId', r.client_id, p_now);
  end if;
  return inbound_answer(p_event->>'carrierId');
end $$;`;

/** What was decided on a caller before; null where nothing was. */
const INBOUND_ANSWER = `
create function inbound_answer(p_carrier_id text) returns jsonb language sql as $$
  select case when k.end_reason = 'lines_busy' then jsonb_build_object('kind', 'busy') else jsonb_build_object('kind', 'accepted',
      'callId', k.call_id, 'clientId', k.client_id, 'agentId', k.agent_id, 'config', v.config, 'toStart', k.to_start_since is not null) end
  from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version
  where k.carrier_id = p_carrier_id and k.direction = 'Incoming' and k.medium = 'telephony'
$$;`;

/** A caller who asked to be called back is dialled: the callback goes out, to the number that they rang from. */
const SCHEDULE_CALLBACK_EDITS = [
  {
    before: `k.medium, k.call_type, k.direction, k.name, k.from_number, k.to_number,`,
    after: `k.medium, 'Outbound', 'Outbound', k.name, case when k.direction = 'Incoming' then null else k.from_number end,
        case when k.direction = 'Incoming' then p_request->>'toNumber' else k.to_number end,`,
  },
];

export async function up(knex: Knex): Promise<void> {
  for (const sql of [ROUTES, COLUMNS, INBOUND_ANSWER, TAKE_INBOUND])
    await knex.raw(sql.replaceAll('?', '\\?'));
  await editFunction(knex, 'schedule_callback', SCHEDULE_CALLBACK_EDITS);
}

export async function down(knex: Knex): Promise<void> {
  await undoEdits(knex, 'schedule_callback', SCHEDULE_CALLBACK_EDITS);
  await knex.raw(`drop function take_inbound, inbound_answer;
    drop index calls_of_callers;
    drop index calls_to_start;
    alter table calls drop column to_start_since;
    drop table inbound_routes`);
}
