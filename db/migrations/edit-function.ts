import type { Knex } from 'knex';

/** A part of a function's body, as it stands and as it is to be. */
export interface FunctionEdit {
  before: string;
  after: string;
}

/** Replaces parts of a function, so that the rest stays written down once. Fails where a part is not there exactly once. */
export async function editFunction(knex: Knex, name: string, edits: readonly FunctionEdit[]): Promise<void> {
  const { rows }: { rows: { source: string }[] } = await knex.raw(
    'select pg_get_functiondef(oid) as source from pg_proc where proname = :name and pronamespace = current_schema()::regnamespace',
    { name },
  );
  let source = rows[0]?.source ?? '';
  for (const { before, after } of edits) {
    const parts = source.split(before);
    if (rows.length !== 1 || parts.length !== 2)
      throw new Error(`${name} is not as this migration knows it: ${before}`);
    source = parts.join(after);
  }
  await knex.raw(source.replaceAll('?', '\\?'));
}

export async function undoEdits(knex: Knex, name: string, edits: readonly FunctionEdit[]): Promise<void> {
  const undone = [...edits].reverse().map(({ before, after }) => ({ before: after, after: before }));
  await editFunction(knex, name, undone);
}
