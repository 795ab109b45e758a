/** What a person may change while calls are under way: the terms of a campaign, a live call, a delivery that is over. */
import type { Knex } from 'knex';

const COLUMNS = `
alter table calls add column hang_up_asked_at timestamptz;
create index calls_to_hang_up on calls (hang_up_asked_at) where hang_up_asked_at is not null and stage in ('asking', 'placed');
-- A redelivery is a new round of attempts: how many were made in the rounds before it.
alter table webhook_deliveries add column earlier_attempts integer not null default 0;
create index agents_inbound on agents ((config #>> '{deployment,phone,call_type,Inbound}')) where not archived;`;

/**
 * Ends a call as end_call does, except that a contact is not dialled again once a person has hung up on it, and that an intent which
 * came to nothing before a cancel is no attempt. The client's lock comes first, so that the mark is read as hang_up left it.
 */
const END_CALL_AS_ASKED = `
create function end_call_as_asked(p_call text, p_end jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
begin
  perform 1 from clients where id = (select client_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call;
  if k.hang_up_asked_at is not null then p_end := p_end || '{"redial": false}'::jsonb; end if;
  if k.stage = 'granted' and k.asked_at is not null and p_end->>'endReason' = 'cancelled' then
    perform 1 from campaigns where id = k.campaign_id for no key update;
    update calls set asked_at = null where call_id = p_call and stage = 'granted';
  end if;
  return end_call(p_call, p_end, p_now);
end $$;`;

/**
 * The last check before the carrier is asked. A call can only be marked while the carrier may have it; one that is marked and holds a
 * line was not placed after all, and must not be asked for again. Locked before it is looked at: the late answer to an earlier request
 * may hand the line back between the look and the dial.
 */
const START_DIAL = `
create function start_dial(p_call text, p_now timestamptz, p_not_after timestamptz) returns jsonb language plpgsql as $$
begin
  perform 1 from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  perform 1 from calls where call_id = p_call for no key update;
  if exists (select 1 from calls where call_id = p_call and stage = 'granted' and hang_up_asked_at is not null) then
    return jsonb_build_object('kind', 'hungUp');
  end if;
  return begin_dial(p_call, p_now, p_not_after);
end $$;`;

/** Ends a call that the carrier was not asked for, with p_end; marks one that the carrier may have, for its workflow to hang up. */
const HANG_UP = `
create function hang_up(p_call text, p_client uuid, p_end jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
begin
  perform 1 from clients where id = p_client for no key update;
  perform 1 from campaigns where id = (select campaign_id from calls where call_id = p_call and client_id = p_client) for no key update;
  select * into k from calls where call_id = p_call and client_id = p_client for no key update;
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  if k.stage = 'over' then return jsonb_build_object('kind', 'over', 'callStatus', k.call_status); end if;
  if k.stage in ('asking', 'placed') then
    update calls set hang_up_asked_at = coalesce(hang_up_asked_at, p_now) where call_id = p_call;
    return jsonb_build_object('kind', 'asked', 'callStatus', k.call_status, 'first', k.hang_up_asked_at is null);
  end if;
  return end_call_as_asked(p_call, p_end, p_now) || jsonb_build_object('kind', 'ended');
end $$;`;

/**
 * A campaign's contacts that have had as many dials as are allowed now get no other: they fail for the reason of their last dial, and
 * calls made ready for them end undialled. Live calls finish, and are not followed by a redial. Answers the ids of the ended calls.
 */
const GIVE_UP_REDIALS = `
create function give_up_redials(p_campaign uuid, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  client uuid;
  allowed integer;
  ended text[];
  were_in_progress integer;
  given_up integer;
begin
  select client_id into client from campaigns where id = p_campaign;
  perform 1 from clients where id = client for no key update;
  select max_retries into allowed from campaigns where id = p_campaign for no key update;
  with over as (
    update calls set stage = 'over', call_status = 'cancelled', end_reason = 'cancelled', ended_at = p_now, heard_at = p_now, asked_at = null
      where campaign_id = p_campaign and stage in ('claimed', 'waiting', 'granted') and attempt > allowed returning call_id
  ) select coalesce(array_agg(call_id), '{}') into ended from over;
  delete from lines where call_id = any(ended);
  select count(*) into were_in_progress from contacts
    where campaign_id = p_campaign and state = 'in_progress' and call_id = any(ended);
  update contacts ct set state = 'failed', call_id = null, next_attempt_at = null,
      reason = (select end_reason from calls k where k.contact_id = ct.id and k.attempt = ct.attempts)
    where campaign_id = p_campaign and attempts >= allowed
      and ((state = 'pending' and call_id is null) or (state in ('pending', 'in_progress') and call_id = any(ended)));
  get diagnostics given_up = row_count;
  update campaigns set in_progress_contacts = in_progress_contacts - were_in_progress, failed_contacts = failed_contacts + given_up
    where id = p_campaign;
  return jsonb_build_object('ended', to_jsonb(ended), 'granted', to_jsonb(grant_lines(client, p_now)));
end $$;`;

const FUNCTIONS = [END_CALL_AS_ASKED, START_DIAL, HANG_UP, GIVE_UP_REDIALS];

export async function up(knex: Knex): Promise<void> {
  for (const sql of [COLUMNS, ...FUNCTIONS]) await knex.raw(sql.replaceAll('?', '\\?'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop function give_up_redials, hang_up, start_dial, end_call_as_asked;
    drop index agents_inbound;
    alter table webhook_deliveries drop column earlier_attempts;
    alter table calls drop column hang_up_asked_at`);
}
