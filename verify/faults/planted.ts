/** Plants faults in the database of a run, to test the checker. */
import type { InvariantNumber } from './checker/run';

/** Part of an engine function in the database, before and after the fault is planted. */
interface Snippet {
  of: string;
  from: string;
  to: string;
}

/**
 * Returns statements that replace the snippets in the current functions. They fail unless each snippet occurs exactly once, so that an
 * outdated fault isn't treated as planted.
 */
export function replaced(...snippets: readonly Snippet[]): string[] {
  return snippets.map(
    ({ of, from, to }) => `do $planted$
declare
  source text;
begin
  select pg_get_functiondef(oid) into strict source from pg_proc
    where proname = '${of}' and pronamespace = current_schema()::regnamespace;
  if array_length(string_to_array(source, $snippet$${from}$snippet$), 1) <> 2 then
    raise exception 'the fault cannot be planted: % is not once in %', $snippet$${from}$snippet$, '${of}';
  end if;
  execute replace(source, $snippet$${from}$snippet$, $snippet$${to}$snippet$);
end $planted$`,
  );
}

interface PlantedTrigger {
  name: string;
  /** For example `before insert on calls`. */
  when: string;
  /** Statements that run before `new` is returned. */
  body: string;
}

/** Returns statements that create a row trigger. Postgres checks the trigger's column names only when it runs. */
function trigger({ name, when, body }: PlantedTrigger): string[] {
  return [
    `create function planted_${name}() returns trigger language plpgsql as $planted$ begin ${body} return new; end $planted$`,
    `create trigger zz_planted_${name} ${when} for each row execute function planted_${name}()`,
  ];
}

export interface PlantedFault {
  name: string;
  /** The invariant that the checker must report. It may also report others, because one fault can violate several. */
  invariant: InvariantNumber;
  /** Executed one by one, in this order. */
  sql: readonly string[];
  /** Conditions that the run must contain for the fault to show. */
  needs: readonly Need[];
}

/**
 * `window`: a window opens or closes while contacts are left. `retryDelay`: a campaign with a retry delay redials contacts.
 * `refusedWebhook`: a receiver rejects first attempts. `lostAnswer`: a response from the carrier gets lost.
 */
export type Need = 'window' | 'retryDelay' | 'refusedWebhook' | 'lostAnswer';

/** Two checks keep a campaign within its lines, one when a line is granted and one when it is used. */
const NO_CONCURRENCY: readonly Snippet[] = [
  {
    of: 'grant_lines',
    from: 'c.concurrency - (select count(*) from lines l where l.campaign_id = c.id)',
    to: 'free',
  },
  { of: 'start_dial', from: 'if has_too_many_before(k, c) then', to: 'if false then' },
];

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'the intent to dial is not stored, so a lost answer causes a second request',
    invariant: 1,
    needs: ['lostAnswer'],
    sql: replaced({ of: 'start_dial', from: `set stage = 'requested',`, to: `set stage = 'granted',` }),
  },
  {
    name: 'a contact gets one dial too many',
    invariant: 1,
    needs: [],
    sql: replaced({
      of: 'end_calls',
      from: 'k.attempt < c.max_attempts',
      to: 'k.attempt < c.max_attempts + 1',
    }),
  },
  {
    name: 'lines ignore the concurrency of the campaign',
    invariant: 2,
    needs: [],
    sql: replaced(...NO_CONCURRENCY),
  },
  {
    name: 'an organization gets one line more than its maximum',
    invariant: 2,
    needs: [],
    sql: replaced(
      // Without this, the campaigns' concurrency would keep the organization within its maximum.
      ...NO_CONCURRENCY,
      { of: 'grant_lines', from: 'select c.max_concurrency - (', to: 'select c.max_concurrency + 1 - (' },
    ),
  },
  {
    name: 'the window is two minutes wider on both sides',
    invariant: 3,
    needs: ['window'],
    sql: trigger({
      name: 'window',
      when: 'before insert or update on campaigns',
      // The counts match again at the end, so only the dials reveal the fault.
      body: `
        if tg_op = 'INSERT' then
          if new.start_minute > 2 then new.start_minute := new.start_minute - 2; end if;
          if new.end_minute < 1438 then new.end_minute := new.end_minute + 2; end if;
        elsif new.ended_at is not null and old.ended_at is null then
          if old.start_minute > 0 then new.start_minute := old.start_minute + 2; end if;
          if old.end_minute < 1440 then new.end_minute := old.end_minute - 2; end if;
        end if;`,
    }),
  },
  {
    name: 'a dial ignores that its campaign is paused or cancelled',
    invariant: 4,
    needs: [],
    sql: replaced(
      {
        of: 'grant_lines',
        from: `c.organization_id = p_organization and c.status = 'active' and c.dialing_until > p_now`,
        to: 'c.organization_id = p_organization and c.ended_at is null',
      },
      {
        of: 'grant_lines',
        from: `c.id = taken.id and c.status = 'active' and c.dialing_until > p_now`,
        to: 'c.id = taken.id',
      },
      {
        of: 'start_dial',
        from: `(c.status <> 'active' or c.dialing_until is null or p_now >= c.dialing_until)`,
        to: 'false',
      },
    ),
  },
  {
    name: 'the end of every fourth contact is counted but not stored',
    invariant: 5,
    needs: [],
    sql: trigger({
      name: 'lost_contact',
      when: 'before update on contacts',
      body: `
        if new.row_number % 4 = 0 and new.state in ('completed', 'failed') then
          new.state := 'in_progress';
        end if;`,
    }),
  },
  {
    name: 'the end of a campaign is reported twice',
    invariant: 5,
    needs: [],
    sql: trigger({
      name: 'second_announcement',
      when: 'after insert on webhook_deliveries',
      body: `
        if new.event = 'campaign.completed' and pg_trigger_depth() = 1 then
          insert into webhook_deliveries (id, event_id, organization_id, campaign_id, event, url, body, created_at, next_attempt_at)
            select gen_random_uuid(), twin, new.organization_id, new.campaign_id, new.event, new.url,
              replace(new.body, new.event_id::text, twin::text), new.created_at, new.next_attempt_at
            from (select gen_random_uuid() as twin) made;
        end if;`,
    }),
  },
  {
    name: 'webhooks of calls are marked delivered but never sent',
    invariant: 6,
    needs: [],
    sql: trigger({
      name: 'unsent',
      when: 'before insert on webhook_deliveries',
      body: `
        if new.call_id is not null then
          new.status := 'delivered';
          new.next_attempt_at := null;
        end if;`,
    }),
  },
  {
    name: 'a webhook is given up after its first rejection',
    invariant: 6,
    needs: ['refusedWebhook'],
    sql: trigger({
      name: 'given_up',
      when: 'before update on webhook_deliveries',
      body: `
        if old.status = 'pending' and new.status = 'pending' then
          new.status := 'failed';
          new.next_attempt_at := null;
        end if;`,
    }),
  },
  {
    name: 'the delay before a redial is skipped',
    invariant: 7,
    needs: ['retryDelay'],
    sql: replaced({ of: 'end_calls', from: '+ make_interval(mins => c.retry_delay_mins)', to: '' }),
  },
  {
    name: 'a dispatched call is deleted after it was accepted',
    invariant: 8,
    needs: [],
    sql: trigger({
      name: 'forgotten_call',
      when: 'after insert on calls',
      body: `
        if new.campaign_id is null then
          delete from calls where call_id = new.call_id;
        end if;`,
    }),
  },
  {
    name: 'an edit of concurrency or max_retries is acknowledged and undone',
    invariant: 8,
    needs: [],
    sql: trigger({
      name: 'undone_edit',
      when: 'before update on campaigns',
      body: `
        new.concurrency := old.concurrency;
        new.max_attempts := old.max_attempts;`,
    }),
  },
  {
    name: 'a call is marked over and concluded when it is answered, so its end is never signalled',
    invariant: 10,
    needs: [],
    sql: trigger({
      name: 'early_end',
      when: 'before update on calls',
      body: `
        if old.answered_at is null and new.answered_at is not null then
          new.stage := 'over';
          new.call_status := 'completed';
          new.concluded_at := new.answered_at;
        end if;`,
    }),
  },
];
