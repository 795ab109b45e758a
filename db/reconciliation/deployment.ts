/** Identifies this deployment among others that use the same servers. */
import type { Db } from '../kernel/connection';
import { onlyRow } from '../kernel/query';

/** Returns a function that reads the database's UUID once and then remembers it, because it never changes. */
export function deploymentId(db: Db): () => Promise<string> {
  let known: string | null = null;
  return async () => {
    known ??= (await onlyRow<{ id: string }>(db, 'select id from deployment', {})).id;
    return known;
  };
}
