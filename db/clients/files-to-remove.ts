/** Files that belong to no row: written down in the transaction that makes it so, and removed after it, whatever dies in between. */
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

/** Longer than any upload takes: its row is there by then, or never comes; and a file that was removed may come once more until then. */
export const LATE_FILE_MS = 60 * 60 * 1000;

export async function listForRemoval(trx: Db, keys: readonly string[], from: number): Promise<void> {
  await rows(
    trx,
    `insert into files_to_remove (storage_key, removable_from) select unnest(:keys::text[]), :from
     on conflict (storage_key) do update set removable_from = excluded.removable_from`,
    { keys: [...keys], from: timestamp(from) },
  );
}

/** The file belongs to a row from this transaction on, or is gone and will not come late. */
export async function takeOffList(trx: Db, key: string): Promise<void> {
  await rows(trx, 'delete from files_to_remove where storage_key = :key', { key });
}

const FILES_A_PAGE = 500;

/**
 * Removes all files whose time has come; run again it removes what an earlier run left. The file of a campaign stays: an upload that was
 * repeated is on the list although the first one made the campaign. One that cannot be removed stays on the list and keeps no other from it:
 * fails at the end with all of these.
 */
export async function removeListedFiles(
  { db, files }: { db: Db; files: { remove(key: string): Promise<void> } },
  now: number,
  reportProgress: () => void = () => undefined,
): Promise<void> {
  const failures: unknown[] = [];
  for (let page = await listedAfter(db, '', now); page.length > 0;) {
    reportProgress();
    const removed: string[] = [];
    for (const key of page) {
      await files.remove(key).then(
        () => removed.push(key),
        (cause: unknown) => failures.push(cause),
      );
    }
    await rows(
      db,
      'delete from files_to_remove where storage_key = any(:removed) and removable_from <= :before',
      { removed, before: timestamp(now - LATE_FILE_MS) },
    );
    page = await listedAfter(db, page.at(-1) ?? '', now);
  }
  await rows(
    db,
    `delete from files_to_remove f where removable_from <= :before
       and exists (select 1 from campaigns c where c.contact_file_key = f.storage_key)`,
    { before: timestamp(now - LATE_FILE_MS) },
  );
  if (failures.length > 0) {
    throw new AggregateError(
      failures,
      `${failures.length} files could not be removed: ${String(failures[0])}`,
    );
  }
}

async function listedAfter(db: Db, last: string, now: number): Promise<string[]> {
  const listed = await rows<{ key: string }>(
    db,
    `select storage_key as key from files_to_remove f where removable_from <= :now and storage_key > :last
       and not exists (select 1 from campaigns c where c.contact_file_key = f.storage_key)
     order by storage_key limit ${FILES_A_PAGE}`,
    { now: timestamp(now), last },
  );
  return listed.map(({ key }) => key);
}
