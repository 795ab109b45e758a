/**
 * Callbacks: a person who was reached asked to be called again. A campaign's contact becomes due once more and its campaign dials it like
 * any other, within its window and lines; the callback of a dispatched call is a call of its own. Neither counts as a retry.
 */
import type { Knex } from 'knex';
import { editFunction, undoEdits } from './edit-function';

const COLUMNS = `
alter table calls
  -- The call in which the callback was asked for, and how many callbacks led to this call.
  add column callback_of text references calls,
  add column callback_depth integer not null default 0,
  -- When the callback that this call asked for is due.
  add column callback_at timestamptz,
  -- Of a callback that no campaign makes: its workflow sleeps until then.
  add column not_before timestamptz;
create index calls_callback_of on calls (callback_of) where callback_of is not null;
alter table contacts add column callback_of text;
-- A campaign is not finished before all its calls are processed: each may still ask for a callback.
drop index calls_unconcluded;
create index calls_unconcluded on calls (campaign_id) where stage = 'over' and concluded_at is null;`;

/**
 * Writes down that the call asked for a callback, once. p_request: {id, dueAt, callId, dialUntil, mostDepth}; callId and dialUntil are of the
 * call that a dispatch's callback becomes. Run again before the call is concluded it changes nothing. Answers {kind: 'contact'} where the
 * campaign makes it, {kind: 'call', …} where a call of its own does, null where there is none.
 */
const SCHEDULE_CALLBACK = `
create function schedule_callback(p_call text, p_request jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
  due timestamptz := (p_request->>'dueAt')::timestamptz;
  made text;
begin
  select * into c from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if k.callback_id is not null then
    select call_id into made from calls where callback_of = p_call and campaign_id is null;
    return case when made is null then null else
      (select jsonb_build_object('kind', 'call', 'callId', n.call_id, 'dueAt', k.callback_at, 'dialUntil', n.dial_until) from calls n where n.call_id = made) end;
  end if;
  if k.concluded_at is not null or k.callback_depth >= (p_request->>'mostDepth')::integer then return null; end if;
  update calls set callback_id = p_request->>'id', callback_at = due, callback_status = 'scheduled' where call_id = p_call;
  if k.campaign_id is null then
    insert into calls (call_id, client_id, agent_id, agent_version, medium, call_type, direction, name, from_number, to_number, metadata,
        modify_agent, x_agent_id, voice, dnd_check_skipped, accepted_at, not_before, dial_until, callback_of, callback_depth)
      select p_request->>'callId', k.client_id, k.agent_id, a.version, k.medium, k.call_type, k.direction, k.name, k.from_number, k.to_number,
        k.metadata, k.modify_agent, k.x_agent_id, k.voice, k.dnd_check_skipped, p_now, due, (p_request->>'dialUntil')::timestamptz,
        p_call, k.callback_depth + 1
      from agents a where a.id = k.agent_id;
    return jsonb_build_object('kind', 'call', 'callId', p_request->>'callId', 'dueAt', due, 'dialUntil', p_request->'dialUntil');
  end if;
  if c.ended_at is null and c.status <> 'cancelled' then
    update contacts set state = 'pending', next_attempt_at = due, callback_of = p_call, reason = null
      where id = k.contact_id and state = 'completed' and call_id is null;
    if found then
      update campaigns set completed_contacts = completed_contacts - 1, refill_asked_at = coalesce(refill_asked_at, p_now) where id = c.id;
      return jsonb_build_object('kind', 'contact');
    end if;
  end if;
  update calls set callback_status = 'cancelled' where call_id = p_call;
  return null;
end $$;`;

/** A callback is over, whether it was dialled or not. */
const END_CALLBACK = `
create function end_callback(p_of text, p_answered boolean, p_call_status text) returns void language sql as $$
  update calls set callback_status = case when p_answered then 'completed' when p_call_status in ('cancelled', 'expired') then p_call_status
    else 'failed' end where call_id = p_of and callback_status = 'scheduled'
$$;`;

const CLAIM_PAGE_EDITS = [
  {
    before: `contact_id, attempt, call_type, direction,
                       name, to_number, metadata, accepted_at)`,
    after: `contact_id, attempt, call_type, direction,
                       name, to_number, metadata, accepted_at, callback_of, callback_depth)`,
  },
  {
    before: `ct.id, due.attempts + 1, 'Outbound'`,
    after: `ct.id, case when ct.callback_of is null then due.attempts + 1 end, 'Outbound'`,
  },
  {
    before: `ct.name, ct.phone_number, ct.variables, p_now
`,
    after: `ct.name, ct.phone_number, ct.variables, p_now, ct.callback_of,
           coalesce((select callback_depth + 1 from calls o where o.call_id = ct.callback_of), 0)
`,
  },
];

/** Its person was reached before, so the contact is completed whatever becomes of the callback. */
const END_CALL_EDITS = [
  {
    before: `    update contacts set state = contact_state, attempts =`,
    after: `    if k.callback_of is not null then contact_state := 'completed'; end if;
    update contacts set state = contact_state, callback_of = null, attempts =`,
  },
  {
    before: `then attempts else k.attempt end,`,
    after: `then attempts else coalesce(k.attempt, attempts) end,`,
  },
  {
    before: `  if k.campaign_id is not null then
    select (state`,
    after: `  if k.callback_of is not null then
    perform end_callback(k.callback_of, (p_end->>'answered')::boolean, p_end->>'callStatus');
  end if;
  if k.campaign_id is not null then
    select (state`,
  },
];

const WITHDRAW_REST_EDITS = [
  {
    before: `  ended_contacts integer;
begin`,
    after: `  ended_contacts integer;
  called_before integer;
begin`,
  },
  {
    before: `  update contacts set state = p_contact_state,`,
    after: `  perform end_callback(callback_of, false, p_call_status) from contacts
    where campaign_id = p_campaign and callback_of is not null and (state = 'pending' or (state = 'in_progress' and call_id = any(withdrawn)));
  update contacts set state = 'completed', reason = null, call_id = null, next_attempt_at = null, callback_of = null
    where campaign_id = p_campaign and callback_of is not null and (state = 'pending' or (state = 'in_progress' and call_id = any(withdrawn)));
  get diagnostics called_before = row_count;
  update contacts set state = p_contact_state,`,
  },
  {
    before: `      failed_contacts = failed_contacts + ended_contacts where id = p_campaign;`,
    after: `      failed_contacts = failed_contacts + ended_contacts, completed_contacts = completed_contacts + called_before where id = p_campaign;`,
  },
];

/** A callback is no retry, so that fewer retries do not take it back. */
const GIVE_UP_REDIALS_EDITS = [
  {
    before: `where campaign_id = p_campaign and attempts >= allowed`,
    after: `where campaign_id = p_campaign and attempts >= allowed and callback_of is null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  for (const sql of [COLUMNS, SCHEDULE_CALLBACK, END_CALLBACK]) await knex.raw(sql.replaceAll('?', '\\?'));
  await editFunction(knex, 'claim_page', CLAIM_PAGE_EDITS);
  await editFunction(knex, 'end_call', END_CALL_EDITS);
  await editFunction(knex, 'withdraw_rest', WITHDRAW_REST_EDITS);
  await editFunction(knex, 'give_up_redials', GIVE_UP_REDIALS_EDITS);
}

export async function down(knex: Knex): Promise<void> {
  await undoEdits(knex, 'give_up_redials', GIVE_UP_REDIALS_EDITS);
  await undoEdits(knex, 'withdraw_rest', WITHDRAW_REST_EDITS);
  await undoEdits(knex, 'end_call', END_CALL_EDITS);
  await undoEdits(knex, 'claim_page', CLAIM_PAGE_EDITS);
  await knex.raw(`drop function end_callback, schedule_callback;
    drop index calls_unconcluded;
    create index calls_unconcluded on calls (ended_at) where stage = 'over' and concluded_at is null;
    alter table contacts drop column callback_of;
    drop index calls_callback_of;
    alter table calls drop column callback_of, drop column callback_depth, drop column callback_at, drop column not_before`);
}
