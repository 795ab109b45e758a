/** The do-not-disturb list of an organization. */
import { countOf, ofClient } from '../kernel/conditions';
import type { Db } from '../kernel/connection';
import { listed, sortedBy, type Listed, type Page } from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

/** Numbers per statement, so that each takes about 0.1 s, far below the time limit. */
const BATCH = 10_000;

export interface DndNumber {
  /** E.164. */
  phoneNumber: string;
  source: string;
  addedAt: Date;
  /** The call in which the person asked not to be called again. */
  askedInCall: string | null;
}

export interface DndAddition {
  clientId: string;
  /** E.164, without duplicates. */
  numbers: readonly string[];
  source: string;
  now: number;
  /** Called after each statement with the number of processed numbers. */
  onProgress?: (done: number) => void;
}

/**
 * Adds numbers and returns how many are new; existing ones keep their source and time. `trx` must be a transaction, so that the list is added
 * completely or not at all.
 */
export async function addDndNumbers(trx: Db, addition: DndAddition): Promise<number> {
  const { clientId, source, now, onProgress } = addition;
  // Sorted, because two additions of the same numbers would deadlock otherwise.
  const numbers = [...addition.numbers].sort();
  let added = 0;
  for (let start = 0; start < numbers.length; start += BATCH) {
    const batch = numbers.slice(start, start + BATCH);
    const inserted = await onlyRow<{ count: number }>(
      trx,
      `with added as (
         insert into dnd_numbers (client_id, phone_number, source, added_at)
         select :clientId::uuid, n, :source, :now from unnest(:batch::text[]) n on conflict do nothing returning 1
       )
       select count(*) from added`,
      { clientId, source, now: timestamp(now), batch },
    );
    added += inserted.count;
    onProgress?.(start + batch.length);
  }
  return added;
}

/** Returns false if the number wasn't on the list. */
export async function removeDndNumber(trx: Db, clientId: string, phoneNumber: string): Promise<boolean> {
  const removed = await rows(
    trx,
    'delete from dnd_numbers where client_id = :clientId and phone_number = :phoneNumber returning 1',
    { clientId, phoneNumber },
  );
  return removed.length > 0;
}

/** Returns how many numbers were removed. */
export async function clearDndNumbers(trx: Db, clientId: string): Promise<number> {
  return trx('dnd_numbers').where({ client_id: clientId }).delete();
}

const DND_NUMBER = `select phone_number as "phoneNumber", source, added_at as "addedAt", asked_in_call as "askedInCall" from dnd_numbers`;

export function findDndNumber(db: Db, clientId: string, phoneNumber: string): Promise<DndNumber | undefined> {
  return firstRow<DndNumber>(
    db,
    `${DND_NUMBER} where client_id = :clientId and phone_number = :phoneNumber`,
    { clientId, phoneNumber },
  );
}

/** `phoneNumber` is in E.164. */
export async function isOnDndList(db: Db, clientId: string, phoneNumber: string): Promise<boolean> {
  return (await findDndNumber(db, clientId, phoneNumber)) !== undefined;
}

/** Returns numbers, newest first. */
export function listDndNumbers(db: Db, clientId: string, limit: number): Promise<DndNumber[]> {
  return rows<DndNumber>(
    db,
    `${DND_NUMBER} where client_id = :clientId order by added_at desc, phone_number limit :limit`,
    { clientId, limit },
  );
}

/** Returns a page, newest first, of all numbers or of `phoneNumber` alone. */
export function dndPage(
  db: Db,
  { clientId, phoneNumber }: { clientId: string; phoneNumber: string | undefined },
  page: Page,
): Promise<Listed<DndNumber>> {
  const { where, bindings } = ofClient(clientId, { 'phone_number = :phoneNumber': phoneNumber });
  const total = countOf(db, 'dnd_numbers', { where, bindings }, 'added_at desc, phone_number desc');
  return listed(page, total, ({ limit, offset }) =>
    rows<DndNumber>(db, `${DND_NUMBER} where ${where} ${sortedBy('desc', 'added_at', 'phone_number')}`, {
      ...bindings,
      limit,
      offset,
    }),
  );
}

export async function countDndNumbers(db: Db, clientId: string): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    'select count(*) as total from dnd_numbers where client_id = :clientId',
    { clientId },
  );
  return total;
}
