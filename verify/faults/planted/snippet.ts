/** Part of an engine function in the database, before and after the fault is planted. */
export interface Snippet {
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

export interface PlantedTrigger {
  name: string;
  /** For example `before insert on calls`. */
  when: string;
  /** Statements that run before `new` is returned. */
  does: string;
}

/** Returns statements that create a row trigger. Postgres checks the trigger's column names only when it runs. */
export function trigger({ name, when, does }: PlantedTrigger): string[] {
  return [
    `create function planted_${name}() returns trigger language plpgsql as $planted$ begin ${does} return new; end $planted$`,
    `create trigger zz_planted_${name} ${when} for each row execute function planted_${name}()`,
  ];
}
