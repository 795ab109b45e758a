/**
 * What may keep a call that holds a line from being dialled: a do-not-disturb list, a brake, the pace of its trunk. All are looked at in
 * the transaction that writes the intent, so that nothing slips through between the look and the dial.
 */
import type { Knex } from 'knex';
import { editFunction, undoEdits } from './edit-function';

const COLUMNS = `
-- When the next call may be placed over a trunk. One row for all workers, so that they keep the pace together.
create table trunks (trunk text primary key, next_slot_at timestamptz not null);
-- Credits of the talk that ended on a UTC day; the owner is a campaign or a client.
create table spend (owner_id uuid not null, day date not null, credits numeric(14, 4) not null, primary key (owner_id, day));
-- An organisation's own brakes: null where the configured ones hold, 0 for none.
alter table clients
  add column spend_per_day numeric(14, 4) check (spend_per_day >= 0),
  add column campaign_spend_per_day numeric(14, 4) check (campaign_spend_per_day >= 0),
  add column breaker_failure_rate numeric(4, 3) check (breaker_failure_rate between 0 and 1),
  -- The latest dials, the last at the end: 1 where the carrier failed, 0 where it did not.
  add column recent_dials text not null default '';
alter table campaigns add column recent_dials text not null default '';
alter table calls
  -- Its turn on the trunk.
  add column dial_slot_at timestamptz,
  -- Of a callback that no campaign makes: it must not be dialled from then on.
  add column dial_until timestamptz;`;

/** Null, or the brake that holds the campaign: {kind, limit, measured}. Spend counts talk that has ended; failures the latest dials. */
const BRAKE_OF = `
create function brake_of(c campaigns, p_limits jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  cl clients%rowtype;
  today date := (p_now at time zone 'UTC')::date;
  of_campaign numeric;
  of_client numeric;
  rate numeric;
  dials integer := coalesce((p_limits->>'failureDials')::integer, 20);
  spent numeric;
  failing numeric;
begin
  select * into cl from clients where id = c.client_id;
  of_campaign := nullif(coalesce(cl.campaign_spend_per_day, (p_limits->>'campaignSpendPerDay')::numeric), 0);
  of_client := nullif(coalesce(cl.spend_per_day, (p_limits->>'clientSpendPerDay')::numeric), 0);
  rate := nullif(coalesce(cl.breaker_failure_rate, (p_limits->>'failureRate')::numeric), 0);
  if of_campaign is not null then
    select credits into spent from spend where owner_id = c.id and day = today;
    if spent >= of_campaign then return jsonb_build_object('kind', 'campaign_spend', 'limit', of_campaign, 'measured', spent); end if;
  end if;
  if of_client is not null then
    select credits into spent from spend where owner_id = c.client_id and day = today;
    if spent >= of_client then return jsonb_build_object('kind', 'client_spend', 'limit', of_client, 'measured', spent); end if;
  end if;
  if rate is not null then
    failing := failure_rate(c.recent_dials, dials);
    if failing >= rate then return jsonb_build_object('kind', 'campaign_failures', 'limit', rate, 'measured', failing); end if;
    failing := failure_rate(cl.recent_dials, dials);
    if failing >= rate then return jsonb_build_object('kind', 'client_failures', 'limit', rate, 'measured', failing); end if;
  end if;
  return null;
end $$;`;

/** The share of failures among the last p_dials, null while there were fewer. */
const FAILURE_RATE = `
create function failure_rate(p_recent text, p_dials integer) returns numeric language sql immutable as $$
  select round(length(replace(right(p_recent, p_dials), '0', ''))::numeric / p_dials, 3) where length(p_recent) >= p_dials
$$;`;

/**
 * How long a call has to wait for its turn on its trunk, null when it is its turn. A turn that was missed by a quarter of a second is
 * lost, as it would be one too many beside the turns of others. So is one further ahead than any can be, as each line waits for one: it
 * was given while a clock was ahead. The caller holds the call's lock.
 */
const TURN_ON_TRUNK = `
create function turn_on_trunk(p_call text, p_slot timestamptz, p_trunk text, p_every_ms numeric, p_now timestamptz)
returns numeric language plpgsql as $$
declare
  slot timestamptz := p_slot;
  furthest timestamptz := p_now + interval '1 minute' + 2 * (select count(*) from lines) * p_every_ms * interval '1 millisecond';
begin
  if slot is null or slot < p_now - interval '250 milliseconds' or slot > furthest then
    insert into trunks (trunk, next_slot_at) values (p_trunk, p_now) on conflict do nothing;
    select greatest(next_slot_at, p_now) into slot from trunks where trunk = p_trunk for no key update;
    if slot > furthest then slot := p_now; end if;
    update trunks set next_slot_at = slot + p_every_ms * interval '1 millisecond' where trunk = p_trunk;
  end if;
  if slot <= p_now then
    if p_slot is not null then update calls set dial_slot_at = null where call_id = p_call; end if;
    return null;
  end if;
  if slot is distinct from p_slot then update calls set dial_slot_at = slot where call_id = p_call; end if;
  return ceil(extract(epoch from slot - p_now) * 1000);
end $$;`;

/**
 * The last checks before the carrier is asked, in the order of what they cost. p_guards: {trunk, dialEveryMs, brakes, registryNotBefore,
 * registryCleared}; whatever is absent is not checked. Campaign and call are locked before they are looked at: the late answer to an
 * earlier request may hand the line back between the look and the dial.
 */
const START_DIAL = `
create function start_dial(p_call text, p_now timestamptz, p_not_after timestamptz, p_guards jsonb default '{}') returns jsonb
language plpgsql as $$
declare
  k calls%rowtype;
  c campaigns%rowtype;
  brake jsonb;
  listed boolean;
  wait_ms numeric;
begin
  select * into c from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
  select * into k from calls where call_id = p_call for no key update;
  if not found or k.stage <> 'granted' then return begin_dial(p_call, p_now, p_not_after); end if;
  if k.hang_up_asked_at is not null then return jsonb_build_object('kind', 'hungUp'); end if;
  if p_now >= k.dial_until then return jsonb_build_object('kind', 'tooLate'); end if;
  if k.campaign_id is not null and (c.status <> 'active' or c.dialing_until is null or p_now >= c.dialing_until) then
    return jsonb_build_object('kind', 'refused');
  end if;
  if has_too_many_before(k, c) then return jsonb_build_object('kind', 'refused'); end if;
  if k.campaign_id is not null then
    brake := brake_of(c, p_guards->'brakes', p_now);
    if brake is not null then
      return jsonb_build_object('kind', 'braked', 'clientId', c.client_id, 'campaignId', c.id, 'brake', brake);
    end if;
  end if;
  if (case when k.campaign_id is null then not k.dnd_check_skipped else c.perform_dnd_check end) then
    if exists (select 1 from dnd_numbers where client_id = k.client_id and phone_number = k.to_number) then
      return jsonb_build_object('kind', 'dnd');
    end if;
    if p_guards->>'registryNotBefore' is not null and not coalesce((p_guards->>'registryCleared')::boolean, false) then
      select a.listed into listed from dnd_registry_answers a
        where a.phone_number = k.to_number and a.asked_at >= (p_guards->>'registryNotBefore')::timestamptz;
      if not found then return jsonb_build_object('kind', 'askRegistry', 'to', k.to_number); end if;
      if listed then return jsonb_build_object('kind', 'dnd'); end if;
    end if;
  end if;
  if (p_guards->>'dialEveryMs')::numeric > 0 then
    wait_ms := turn_on_trunk(p_call, k.dial_slot_at, p_guards->>'trunk', (p_guards->>'dialEveryMs')::numeric, p_now);
    if wait_ms is not null then return jsonb_build_object('kind', 'paced', 'waitMs', wait_ms); end if;
  end if;
  -- A request that the carrier takes up late must not ring after the window: both instants are as far ahead, each by its own clock.
  p_not_after := least(p_not_after, p_not_after - interval '3 seconds' + (least(c.dialing_until, k.dial_until) - p_now));
  return begin_dial(p_call, p_now, p_not_after) || jsonb_build_object('notAfter', p_not_after);
end $$;`;

/**
 * Whether lines were taken away from under a call that was given one and has not dialled: its campaign's concurrency or its client's maximum was
 * lowered. Live calls keep theirs, then those that got them first. Two calls that look at once see the same order, so that no lock is needed.
 */
const HAS_TOO_MANY_BEFORE = `
create function has_too_many_before(k calls, c campaigns) returns boolean language plpgsql stable as $$
declare
  allowed integer := (select max_concurrency from clients where id = k.client_id);
  mine lines%rowtype;
begin
  if (select count(*) from lines l where l.client_id = k.client_id) <= allowed
     and (c.id is null or (select count(*) from lines l where l.campaign_id = c.id) <= c.call_concurrency) then
    return false;
  end if;
  select * into mine from lines where call_id = k.call_id;
  return (select count(*) >= allowed or count(*) filter (where l.campaign_id = c.id) >= c.call_concurrency
    from lines l join calls o on o.call_id = l.call_id
    where l.client_id = k.client_id and l.call_id <> k.call_id
      and (o.stage in ('asking', 'placed') or (l.taken_at, l.call_id) < (mine.taken_at, mine.call_id)));
end $$;`;

/** The look-up after an intent needs to know when it was written, as the carrier's clock may jump. */
const BEGIN_DIAL_ASKED_AT = {
  before: `return jsonb_build_object('kind', 'asked', 'notAfter', k.not_after);`,
  after: `return jsonb_build_object('kind', 'asked', 'notAfter', k.not_after, 'askedAt', k.asked_at);`,
};

/** A contact rests from when its end was told, by our clock: the carrier's may be wrong. */
const END_CALL_EDITS = [
  {
    before: `retry_at := ended + make_interval(mins => c.retry_after_mins);`,
    after: `retry_at := p_now + make_interval(mins => c.retry_after_mins);`,
  },
  {
    // A do-not-disturb check that could not be made counts as a dial, or it would be repeated for ever.
    before: `attempts = case when k.asked_at is null then attempts else k.attempt end,`,
    after: `attempts = case when k.asked_at is null and retry_at is null then attempts else k.attempt end,`,
  },
  {
    before: `  delete from lines where call_id = p_call;

`,
    after: `  delete from lines where call_id = p_call;
  perform count_for_brakes(k, ceil(talk_ms / 60000.0) * (p_end->>'creditsPerMinute')::numeric, (p_end->>'carrierFailed')::boolean, ended);

`,
  },
];

/**
 * A call that may not be dialled after all waits again, beside a campaign that may not know of it: one that was cancelled, or whose days are
 * over, took it for live. Its workflow is to look again.
 */
const RETURN_LINE_EDITS = [
  {
    before: `  return jsonb_build_object('granted', to_jsonb(grant_lines(k.client_id, p_now)));`,
    after: `  update campaigns set refill_asked_at = p_now where id = k.campaign_id and ended_at is null
    and (status <> 'active' or dialing_until is null or p_now >= dialing_until);
  return jsonb_build_object('refill', found, 'campaignId', k.campaign_id, 'granted', to_jsonb(grant_lines(k.client_id, p_now)));`,
  },
];

/** What an ended call adds to the sums that brakes look at. The caller holds the locks of client and campaign. */
const COUNT_FOR_BRAKES = `
create function count_for_brakes(k calls, p_cost numeric, p_carrier_failed boolean, p_ended timestamptz) returns void language plpgsql as $$
begin
  if p_cost > 0 then
    insert into spend as s (owner_id, day, credits)
      select owner, (p_ended at time zone 'UTC')::date, p_cost from unnest(array[k.client_id, k.campaign_id]) owner where owner is not null
      on conflict (owner_id, day) do update set credits = s.credits + excluded.credits;
  end if;
  -- Null where nothing was asked of the carrier, or nothing can be said about it.
  if k.asked_at is not null and p_carrier_failed is not null then
    update clients set recent_dials = right(recent_dials || p_carrier_failed::integer, 100) where id = k.client_id;
    update campaigns set recent_dials = right(recent_dials || p_carrier_failed::integer, 100) where id = k.campaign_id;
  end if;
end $$;`;

const FUNCTIONS = [FAILURE_RATE, BRAKE_OF, COUNT_FOR_BRAKES, TURN_ON_TRUNK, HAS_TOO_MANY_BEFORE, START_DIAL];

export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop function start_dial(text, timestamptz, timestamptz)');
  for (const sql of [COLUMNS, ...FUNCTIONS]) await knex.raw(sql.replaceAll('?', '\\?'));
  await editFunction(knex, 'begin_dial', [BEGIN_DIAL_ASKED_AT]);
  await editFunction(knex, 'end_call', END_CALL_EDITS);
  await editFunction(knex, 'return_line', RETURN_LINE_EDITS);
}

export async function down(knex: Knex): Promise<void> {
  await undoEdits(knex, 'return_line', RETURN_LINE_EDITS);
  await undoEdits(knex, 'end_call', END_CALL_EDITS);
  await undoEdits(knex, 'begin_dial', [BEGIN_DIAL_ASKED_AT]);
  await knex.raw(`drop function start_dial, has_too_many_before, turn_on_trunk, count_for_brakes, brake_of, failure_rate;
    alter table calls drop column dial_slot_at, drop column dial_until;
    alter table campaigns drop column recent_dials;
    alter table clients drop column spend_per_day, drop column campaign_spend_per_day, drop column breaker_failure_rate, drop column recent_dials;
    drop table spend, trunks;
    create function start_dial(p_call text, p_now timestamptz, p_not_after timestamptz) returns jsonb language plpgsql as $$
    begin
      perform 1 from campaigns where id = (select campaign_id from calls where call_id = p_call) for no key update;
      perform 1 from calls where call_id = p_call for no key update;
      if exists (select 1 from calls where call_id = p_call and stage = 'granted' and hang_up_asked_at is not null) then
        return jsonb_build_object('kind', 'hungUp');
      end if;
      return begin_dial(p_call, p_now, p_not_after);
    end $$;`);
}
