/** Which deployment this is, among others that use the same servers. */
import type { Db } from '../kernel/connection';
import { onlyRow } from '../kernel/query';

/** A UUID that was made with the database. Read once: it never changes. */
export function deploymentId(db: Db): () => Promise<string> {
  let known: string | null = null;
  return async () => {
    known ??= (await onlyRow<{ id: string }>(db, 'select id from deployment', {})).id;
    return known;
  };
}
