/** Conditions that the rows must meet after every commit. Each query returns violations. */

/** Finds rows that end twice. The final rows can't show this, so triggers record every update that changes an end. */
interface LastingEnd {
  of: string;
  /** Column that names the row in a violation. */
  key: string;
  /** Condition for an update that changes the end. */
  when: string;
}

const LASTING: Readonly<Record<string, LastingEnd>> = {
  // A callback that the callee requested redials a contact that was already reached.
  'a final contact changed its state': {
    of: 'contacts',
    key: 'id',
    when: `old.state not in ('pending', 'in_progress') and new.state <> old.state and new.callback_of is null`,
  },
  'a finished call changed its end': {
    of: 'calls',
    key: 'call_id',
    when: `old.stage = 'over' and (new.stage, new.call_status, new.end_reason) is distinct from (old.stage, old.call_status, old.end_reason)`,
  },
  'an ended campaign changed its status': {
    of: 'campaigns',
    key: 'id',
    when: `old.ended_at is not null and (new.status, new.ended_at) is distinct from (old.status, old.ended_at)`,
  },
  'a final delivery changed its status': {
    of: 'webhook_deliveries',
    key: 'id',
    when: `old.status <> 'pending' and new.status <> old.status`,
  },
};

/** A call whose contact may not be dialled now is deleted. Can be executed repeatedly. */
export const KEEP_LASTING_ENDS = `
create table if not exists changed_ends (fault text not null);
create or replace function keep_changed_end() returns trigger language plpgsql as $$ begin
  insert into changed_ends values (tg_argv[0] || ': ' || (to_jsonb(new)->>tg_argv[1]));
  return null;
end $$;
${Object.entries(LASTING)
  .map(
    ([name, { of, key, when }]) =>
      `create or replace trigger zz_changed_end after update on ${of} for each row when (${when}) execute function keep_changed_end('${name}', '${key}');`,
  )
  .join('\n')}
create table if not exists refused_dials (contact_id bigint not null, granted_at timestamptz not null);
create or replace function keep_refused_dial() returns trigger language plpgsql as $$ begin
  insert into refused_dials values (old.contact_id, old.granted_at);
  return null;
end $$;
create or replace trigger zz_refused after delete on calls for each row when (old.stage = 'granted') execute function keep_refused_dial();`;

export const CHANGED_ENDS = `select fault from changed_ends union all
  select 'a contact got a line again and again although it may not be dialled: ' || min(one.contact_id) from refused_dials one
    where (select count(*) from refused_dials other where other.contact_id = one.contact_id
      and other.granted_at between one.granted_at and one.granted_at + interval '5 s') > 3
    group by one.contact_id`;

/** Conditions that the rows must meet after every commit, even after crashes. Each query returns violations. */
const ALWAYS: Readonly<Record<string, string>> = {
  'more lines than the maximum of the organization': `
    select c.id::text as what from organizations c
      where (select count(*) from lines l where l.organization_id = c.id) > c.max_concurrency`,
  'a line without a call that may be live': `
    select l.call_id as what from lines l join calls k using (call_id)
      where k.stage not in ('granted', 'requested', 'placed')`,
  'a call that may be live without a line': `
    select k.call_id as what from calls k where k.stage in ('granted', 'requested', 'placed')
      and not exists (select 1 from lines l where l.call_id = k.call_id)`,
  'two live calls of an organization with the same number': `
    select min(call_id) as what
      from (select call_id, organization_id, case when direction = 'Incoming' then from_number else to_number end as number
            from calls where stage in ('granted', 'requested', 'placed') and medium = 'telephony') live
      where number is not null group by organization_id, number having count(*) > 1`,
  'counts that differ from the contacts': `
    select c.id::text as what from campaigns c cross join lateral (
      select count(*) as total, count(*) filter (where state = 'in_progress') as in_progress,
        count(*) filter (where state = 'completed') as completed,
        count(*) filter (where state not in ('pending', 'in_progress', 'completed')) as failed
      from contacts where campaign_id = c.id) states
    where (c.total_contacts, c.in_progress_contacts, c.completed_contacts, c.failed_contacts)
      is distinct from (states.total, states.in_progress, states.completed, states.failed)`,
  'a contact in progress without a carrier request': `
    select t.id::text as what from contacts t left join calls k on k.call_id = t.call_id
      where t.state = 'in_progress' and (k.requested_at is null or k.stage not in ('granted', 'requested', 'placed'))`,
  'a call at the carrier whose contact is not in progress': `
    select k.call_id as what from calls k join contacts t on t.id = k.contact_id
      where k.stage in ('requested', 'placed') and t.state <> 'in_progress'`,
  "an answered call that is not 'in progress'": `
    select k.call_id as what from calls k
      where k.stage in ('requested', 'placed') and k.answered_at is not null and k.call_status <> 'in progress'`,
  'an open call whose contact does not refer to it': `
    select k.call_id as what from calls k join contacts t on t.id = k.contact_id
      where k.stage <> 'over' and t.call_id is distinct from k.call_id`,
  'a final contact with an open call': `
    select t.id::text as what from contacts t
      where t.state not in ('pending', 'in_progress') and t.call_id is not null`,
  'more attempts than allowed': `
    select k.call_id as what from calls k join campaigns c on c.id = k.campaign_id
      where k.attempt > c.max_attempts
        -- An update may have lowered the number after earlier dials, and each call is committed in one of these stages before it is dialled.
        and k.stage in ('claimed', 'waiting', 'granted')`,
};

/** Must hold only in runs in which campaigns are neither edited nor paused nor resumed. `:now` is the platform's clock. */
const UNDISTURBED: Readonly<Record<string, string>> = {
  'more lines than the concurrency of the campaign': `
    select c.id::text as what from campaigns c
      where (select count(*) from lines l where l.campaign_id = c.id) > c.concurrency`,
  'a call that waits although it may use a free line': `
    select k.call_id as what from calls k left join campaigns c on c.id = k.campaign_id
      where k.stage = 'waiting'
        and (select count(*) from lines l where l.organization_id = k.organization_id)
          < (select max_concurrency from organizations where id = k.organization_id)
        and not exists (select from lines l where l.organization_id = k.organization_id and l.number = k.to_number)
        and (c.id is null or (c.status = 'active' and c.dialing_until > :now
          and (select count(*) from lines l where l.campaign_id = c.id) < c.concurrency))`,
};

/** Returns a single statement that selects all violations. */
const faultsOf = (queries: Readonly<Record<string, string>>): string =>
  Object.entries(queries)
    .map(([name, query]) => `select '${name.replaceAll("'", "''")}: ' || what as fault from (${query}) found`)
    .join(' union all ');

export const ALWAYS_FAULTS = faultsOf(ALWAYS);
export const UNDISTURBED_FAULTS = faultsOf({ ...ALWAYS, ...UNDISTURBED });
