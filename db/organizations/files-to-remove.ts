/**
 * Files that no row refers to. They are listed in the transaction that removes the row and deleted afterwards, so a crash can't leave files
 * behind.
 */
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

/** Longer than any upload takes. Until then, an upload can still get its row or write a removed file again. */
export const LATE_FILE_MS = 60 * 60 * 1000;

export async function listForRemoval(trx: Db, keys: readonly string[], from: number): Promise<void> {
  await rows(
    trx,
    `insert into files_to_remove (storage_key, removable_from) select unnest(:keys::text[]), :from
     on conflict (storage_key) do update set removable_from = excluded.removable_from`,
    { keys: [...keys], from: timestamp(from) },
  );
}

/** Removes a file from the list because a row refers to it now or the file is certainly gone. */
export async function takeOffList(trx: Db, key: string): Promise<void> {
  await rows(trx, 'delete from files_to_remove where storage_key = :key', { key });
}

const FILES_PER_PAGE = 500;

/**
 * Deletes all listed files that are due. Skips files that a campaign uses, because a repeated upload lists its file again.
 * @throws {AggregateError} at the end, if files can't be deleted. They stay on the list
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
     order by storage_key limit ${FILES_PER_PAGE}`,
    { now: timestamp(now), last },
  );
  return listed.map(({ key }) => key);
}
