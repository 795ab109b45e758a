/**
 * The transactions that decide who may dial. They are functions in the database because each must hold its row locks over several
 * statements, and a round trip for each statement would multiply the time that every other call of the client waits.
 *
 * Locks are always taken in the order client, campaign, call, so that two of these functions never wait for each other in a circle.
 * Every function takes the instant as a parameter: the workflow's clock decides windows, not the database's.
 *
 * All answers are one jsonb value, so that each decision is one statement on the wire.
 */
import type { Knex } from 'knex';

/** Hands free lines of a client to its waiting calls: dispatches first, then its campaigns in turn. The caller holds the client's lock. */
const GRANT_LINES = `
create function grant_lines(p_client uuid, p_now timestamptz) returns text[] language plpgsql as $$
declare
  granted text[] := '{}';
  free integer;
  chosen_campaign uuid;
  chosen text;
begin
  select c.max_concurrency - (select count(*) from lines l where l.client_id = c.id) into free from clients c where c.id = p_client;
  while free > 0 loop
    chosen_campaign := null;
    select call_id into chosen from calls
      where client_id = p_client and stage = 'waiting' and campaign_id is null
      order by waiting_since, call_id limit 1 for no key update;
    if not found then
      select c.id into chosen_campaign from campaigns c
        where c.client_id = p_client and c.status = 'active' and c.dialing_until > p_now
          and exists (select 1 from calls w where w.client_id = p_client and w.campaign_id = c.id and w.stage = 'waiting')
          and (select count(*) from lines l where l.campaign_id = c.id) < c.call_concurrency
        order by c.last_granted_at nulls first, c.id limit 1 for no key update;
      exit when not found;
      select call_id into chosen from calls
        where client_id = p_client and campaign_id = chosen_campaign and stage = 'waiting'
        order by waiting_since, contact_id limit 1 for no key update;
      exit when not found;
      update campaigns set last_granted_at = clock_timestamp() where id = chosen_campaign;
    end if;
    update calls set stage = 'granted', granted_at = p_now where call_id = chosen;
    insert into lines (call_id, client_id, campaign_id, taken_at) values (chosen, p_client, chosen_campaign, p_now);
    granted := granted || chosen;
    free := free - 1;
  end loop;
  return granted;
end $$;`;

/**
 * How many calls a campaign keeps ready ahead of its lines: two rounds of talk, as starting a round of workflows may take as long as
 * a short talk does.
 */
const READY_AHEAD = `
create function ready_ahead(c campaigns) returns integer language sql stable as $$
  select least(greatest(2 * least(c.call_concurrency, cl.max_concurrency), 4), 200) from clients cl where cl.id = c.client_id
$$;`;

/**
 * Whether a campaign should be woken: its last call is over, or few calls wait ahead of its lines while contacts are left. Answers
 * true once a page; the campaign's next survey clears the mark. The caller holds the campaign's lock.
 */
const ASK_REFILL = `
create function ask_refill(p_campaign uuid, p_now timestamptz) returns boolean language plpgsql as $$
declare
  c campaigns%rowtype;
  ready integer;
begin
  select * into c from campaigns where id = p_campaign;
  if c.refill_asked_at is not null then return false; end if;
  select count(*) into ready from calls where campaign_id = p_campaign and stage in ('claimed', 'waiting');
  if (ready <= ready_ahead(c) / 2
      and exists (select 1 from contacts where campaign_id = p_campaign and state = 'pending' and call_id is null))
     or not exists (select 1 from calls where campaign_id = p_campaign and stage <> 'over') then
    update campaigns set refill_asked_at = p_now where id = p_campaign;
    return true;
  end if;
  return false;
end $$;`;

/**
 * Takes at most p_limit due contacts, creates the rows of their next call attempts, and hands out lines; `more` says that another page
 * is wanted. Run again after a crash it answers the
 * calls that were claimed and never registered, so no contact is lost between the claim and the start of its workflow.
 */
const CLAIM_PAGE = `
create function claim_page(p_campaign uuid, p_now timestamptz, p_until timestamptz, p_limit integer) returns jsonb language plpgsql as $$
declare
  c campaigns%rowtype;
  client clients%rowtype;
  wanted integer;
  page integer;
  created_calls integer;
begin
  select * into client from clients where id = (select client_id from campaigns where id = p_campaign) for no key update;
  select * into c from campaigns where id = p_campaign for no key update;
  if c.status in ('paused', 'completed', 'cancelled') then
    return jsonb_build_object('claimed', '[]'::jsonb, 'granted', '[]'::jsonb, 'more', false);
  end if;
  wanted := least(c.call_concurrency, client.max_concurrency) + ready_ahead(c)
    - (select count(*) from calls where campaign_id = p_campaign and stage <> 'over');
  page := greatest(least(wanted, p_limit), 0);
  -- Redials that are due come before first dials. Two index ranges, so that redials not yet due are never read.
  with due as (
    (select id, attempts from contacts
      where campaign_id = p_campaign and state = 'pending' and call_id is null and next_attempt_at <= p_now
      order by next_attempt_at, row_number limit page)
    union all
    (select id, attempts from contacts
      where campaign_id = p_campaign and state = 'pending' and call_id is null and next_attempt_at is null
      order by row_number limit page)
    limit page
  ), created as (
    insert into calls (call_id, client_id, agent_id, agent_version, campaign_id, contact_id, attempt, call_type, direction,
                       name, to_number, metadata, accepted_at)
    select 'outbound-' || floor(extract(epoch from p_now))::bigint || '-' || replace(gen_random_uuid()::text, '-', ''),
           c.client_id, c.agent_id, a.version, c.id, ct.id, due.attempts + 1, 'Outbound', 'Outbound',
           ct.name, ct.phone_number, ct.variables, p_now
    from due join contacts ct on ct.id = due.id join agents a on a.id = c.agent_id
    returning call_id, contact_id
  )
  update contacts ct set call_id = created.call_id from created where ct.id = created.contact_id;
  get diagnostics created_calls = row_count;
  update campaigns set status = 'active', status_reason = null, dialing_until = p_until,
      updated_at = case when status = 'active' then updated_at else p_now end
    where id = p_campaign;
  return jsonb_build_object(
    'claimed', coalesce((select jsonb_agg(jsonb_build_object('callId', k.call_id, 'attempt', k.attempt, 'maxAttempts', c.max_retries) order by k.contact_id)
                         from calls k where k.campaign_id = p_campaign and k.stage = 'claimed'), '[]'::jsonb),
    'granted', to_jsonb(grant_lines(c.client_id, p_now)),
    'more', wanted > p_limit and created_calls = p_limit);
end $$;`;

/** Puts calls whose workflows are running in the queue for a line. A call that is not started yet is never granted one. */
const REGISTER_WAITING = `
create function register_waiting(p_client uuid, p_calls text[], p_now timestamptz) returns jsonb language plpgsql as $$
begin
  perform 1 from clients where id = p_client for no key update;
  update calls set stage = 'waiting', waiting_since = p_now where call_id = any(p_calls) and stage = 'claimed';
  return jsonb_build_object('granted', to_jsonb(grant_lines(p_client, p_now)));
end $$;`;

/**
 * The last check before the carrier is asked, and the written intent to ask it. From here until not_after the carrier may have the
 * request, so a pause waits for it and a later run looks the call up instead of asking again.
 */
const BEGIN_DIAL = `
create function begin_dial(p_call text, p_now timestamptz, p_not_after timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
begin
  select * into c from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  if k.stage = 'over' then return jsonb_build_object('kind', 'over', 'callStatus', k.call_status); end if;
  if k.stage = 'placed' then return jsonb_build_object('kind', 'placed', 'carrierId', k.carrier_id); end if;
  if k.stage = 'asking' then return jsonb_build_object('kind', 'asked', 'notAfter', k.not_after); end if;
  if k.stage <> 'granted' then return jsonb_build_object('kind', 'waiting'); end if;
  if k.campaign_id is not null and (c.status <> 'active' or c.dialing_until is null or p_now >= c.dialing_until) then
    return jsonb_build_object('kind', 'refused');
  end if;
  update calls set stage = 'asking', call_status = 'dialing', asked_at = p_now, not_after = p_not_after where call_id = p_call;
  if k.campaign_id is not null then
    update contacts set state = 'in_progress' where id = k.contact_id and state = 'pending';
    if found then update campaigns set in_progress_contacts = in_progress_contacts + 1 where id = c.id; end if;
  end if;
  return (select jsonb_build_object('kind', 'ask', 'to', k.to_number, 'from', k.from_number, 'name', k.name, 'attempt', coalesce(k.attempt, 1),
      'variables', k.metadata, 'modifyAgent', k.modify_agent, 'agentName', a.display_name, 'config', v.config)
    from agents a join agent_versions v on v.agent_id = a.id and v.version = k.agent_version where a.id = k.agent_id);
end $$;`;

/** A call that got a line and may not dial now goes back to the queue; its line goes to another. */
const RETURN_LINE = `
create function return_line(p_call text, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
begin
  select * into k from calls where call_id = p_call;
  perform 1 from clients where id = k.client_id for no key update;
  perform 1 from campaigns where id = k.campaign_id for no key update;
  update calls set stage = 'waiting', call_status = 'queued', granted_at = null where call_id = p_call and stage = 'granted';
  if found then
    delete from lines where call_id = p_call;
    update contacts set state = 'pending' where id = k.contact_id and state = 'in_progress';
    if found then update campaigns set in_progress_contacts = in_progress_contacts - 1 where id = k.campaign_id; end if;
  end if;
  return jsonb_build_object('granted', to_jsonb(grant_lines(k.client_id, p_now)));
end $$;`;

/**
 * Writes the end of a call, once: its final status, its contact's state or next attempt, the campaign's sums; frees its line and
 * hands it on. p_end: {callStatus, endReason, answered, contactState, redial, endedAt, dialingAt, ringingAt, answeredAt, answeredBy,
 * creditsPerMinute}. Answers null for a call that was over before.
 */
const END_CALL = `
create function end_call(p_call text, p_end jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
  answer timestamptz;
  ended timestamptz := (p_end->>'endedAt')::timestamptz;
  talk_ms bigint := 0;
  retry_at timestamptz;
  contact_state text := p_end->>'contactState';
  was_in_progress integer;
begin
  select * into k from calls where call_id = p_call;
  if not found then return null; end if;
  perform 1 from clients where id = k.client_id for no key update;
  select * into c from campaigns where id = k.campaign_id for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if k.stage = 'over' then return null; end if;

  answer := coalesce(k.answered_at, (p_end->>'answeredAt')::timestamptz);
  if (p_end->>'answered')::boolean and answer is not null then
    talk_ms := greatest(0, round(extract(epoch from ended - answer) * 1000));
  end if;
  if k.campaign_id is not null and (p_end->>'redial')::boolean and k.attempt < c.max_retries and c.status <> 'cancelled' then
    retry_at := ended + make_interval(mins => c.retry_after_mins);
    contact_state := 'pending';
  end if;
  update calls set stage = 'over', call_status = p_end->>'callStatus', end_reason = p_end->>'endReason', ended_at = ended,
      dialing_at = coalesce(dialing_at, (p_end->>'dialingAt')::timestamptz),
      ringing_at = coalesce(ringing_at, (p_end->>'ringingAt')::timestamptz),
      answered_at = answer, answered_by = coalesce(p_end->>'answeredBy', answered_by),
      duration_ms = talk_ms, call_cost = ceil(talk_ms / 60000.0) * (p_end->>'creditsPerMinute')::numeric,
      will_retry = retry_at is not null, next_attempt_at = retry_at, heard_at = p_now
    where call_id = p_call;
  delete from lines where call_id = p_call;

  if k.campaign_id is not null then
    select (state = 'in_progress')::integer into was_in_progress from contacts where id = k.contact_id;
    update contacts set state = contact_state, attempts = case when k.asked_at is null then attempts else k.attempt end,
        next_attempt_at = retry_at, call_id = null,
        reason = case when contact_state in ('pending', 'completed') then null else p_end->>'endReason' end
      where id = k.contact_id;
    update campaigns set in_progress_contacts = in_progress_contacts - was_in_progress,
        completed_contacts = completed_contacts + (contact_state = 'completed')::integer,
        failed_contacts = failed_contacts + (contact_state not in ('completed', 'pending'))::integer
      where id = c.id;
  end if;
  return jsonb_build_object(
    'granted', to_jsonb(grant_lines(k.client_id, p_now)),
    'refill', k.campaign_id is not null and ask_refill(k.campaign_id, p_now),
    'campaignId', k.campaign_id);
end $$;`;

/**
 * Ends everything of a campaign that the carrier has not been asked for: contacts still pending, and calls before their dial. Calls
 * that are live go on. Answers the ids of the ended calls, whose workflows are to be told.
 */
const WITHDRAW_REST = `
create function withdraw_rest(p_campaign uuid, p_contact_state text, p_call_status text, p_end_reason text, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  client uuid;
  withdrawn text[];
  were_in_progress integer;
  ended_contacts integer;
begin
  select client_id into client from campaigns where id = p_campaign;
  perform 1 from clients where id = client for no key update;
  perform 1 from campaigns where id = p_campaign for no key update;
  with ended as (
    -- Asked for or not, the carrier has not placed them: they are no attempts.
    update calls set stage = 'over', call_status = p_call_status, end_reason = p_end_reason, ended_at = p_now, heard_at = p_now,
        asked_at = null
      where campaign_id = p_campaign and stage in ('claimed', 'waiting', 'granted') returning call_id
  ) select coalesce(array_agg(call_id), '{}') into withdrawn from ended;
  delete from lines where call_id = any(withdrawn);
  select count(*) into were_in_progress from contacts
    where campaign_id = p_campaign and state = 'in_progress' and call_id = any(withdrawn);
  update contacts set state = p_contact_state, reason = p_end_reason, call_id = null, next_attempt_at = null
    where campaign_id = p_campaign and (state = 'pending' or (state = 'in_progress' and call_id = any(withdrawn)));
  get diagnostics ended_contacts = row_count;
  update campaigns set in_progress_contacts = in_progress_contacts - were_in_progress,
      failed_contacts = failed_contacts + ended_contacts where id = p_campaign;
  return jsonb_build_object('ended', to_jsonb(withdrawn), 'granted', to_jsonb(grant_lines(client, p_now)));
end $$;`;

const FUNCTIONS = [
  GRANT_LINES,
  READY_AHEAD,
  ASK_REFILL,
  CLAIM_PAGE,
  REGISTER_WAITING,
  BEGIN_DIAL,
  RETURN_LINE,
  END_CALL,
  WITHDRAW_REST,
];

export async function up(knex: Knex): Promise<void> {
  for (const sql of FUNCTIONS) await knex.raw(sql.replaceAll('?', '\\?'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `drop function withdraw_rest, end_call, return_line, begin_dial, register_waiting, claim_page, ask_refill, ready_ahead, grant_lines`,
  );
}
