/** A part of one of the engine's functions in the database, as it stands and as the planted fault has it. */
export interface Snippet {
  of: string;
  from: string;
  to: string;
}

/**
 * A statement that replaces the snippets in the functions as they are at that moment. It fails where a snippet is not there exactly
 * once: a fault that an engine of later outgrew must not pass for one that was planted.
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
  /** `before insert on calls` */
  when: string;
  /** Statements; `new` is answered after them. */
  does: string;
}

/** Statements that make a row trigger. Its columns are looked at when it runs, not when it is made. */
export function trigger({ name, when, does }: PlantedTrigger): string[] {
  return [
    `create function planted_${name}() returns trigger language plpgsql as $planted$ begin ${does} return new; end $planted$`,
    `create trigger zz_planted_${name} ${when} for each row execute function planted_${name}()`,
  ];
}
