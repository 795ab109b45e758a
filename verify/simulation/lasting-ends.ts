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

/** Can be executed repeatedly. */
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
  .join('\n')}`;

export const CHANGED_ENDS = 'select fault from changed_ends';
