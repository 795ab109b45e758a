/** An organization's do-not-disturb list, and the cached registry answers that all organizations share. */
import { countOf, ofOrganization } from '../kernel/conditions';
import type { Db } from '../kernel/connection';
import { listed, sortedBy, type Listed, type Page } from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

/** Numbers per statement. One statement takes about 0.1 s, far below the time limit. */
const BATCH = 10_000;

export interface DndNumber {
  /** E.164. */
  phoneNumber: string;
  source: string;
  addedAt: Date;
  /** The call in which the person asked not to be called again. */
  optedOutInCall: string | null;
}

interface DndAddition {
  organizationId: string;
  /** E.164, without duplicates. */
  numbers: readonly string[];
  source: string;
  now: number;
  /** Called after each statement with the count of numbers processed so far. */
  onProgress?: (done: number) => void;
}

/**
 * Adds numbers and returns how many are new. Existing numbers keep their source and time. `trx` must be a transaction, so that all numbers
 * are added or none.
 */
export async function addDndNumbers(trx: Db, addition: DndAddition): Promise<number> {
  const { organizationId, source, now, onProgress } = addition;
  // Sorted so that two additions of the same numbers don't deadlock.
  const numbers = [...addition.numbers].sort();
  let added = 0;
  for (let start = 0; start < numbers.length; start += BATCH) {
    const batch = numbers.slice(start, start + BATCH);
    const inserted = await onlyRow<{ count: number }>(
      trx,
      `with added as (
         insert into dnd_numbers (organization_id, phone_number, source, added_at)
         select :organizationId::uuid, n, :source, :now from unnest(:batch::text[]) n on conflict do nothing returning 1
       )
       select count(*) from added`,
      { organizationId, source, now: timestamp(now), batch },
    );
    added += inserted.count;
    onProgress?.(start + batch.length);
  }
  return added;
}

/** Returns false if the number wasn't on the list. */
export async function removeDndNumber(
  trx: Db,
  organizationId: string,
  phoneNumber: string,
): Promise<boolean> {
  const removed = await rows(
    trx,
    'delete from dnd_numbers where organization_id = :organizationId and phone_number = :phoneNumber returning 1',
    { organizationId, phoneNumber },
  );
  return removed.length > 0;
}

/** Returns how many numbers were removed. */
export async function clearDndNumbers(trx: Db, organizationId: string): Promise<number> {
  return trx('dnd_numbers').where({ organization_id: organizationId }).delete();
}

const DND_NUMBER = `select phone_number as "phoneNumber", source, added_at as "addedAt", opted_out_in_call as "optedOutInCall" from dnd_numbers`;

export function findDndNumber(
  db: Db,
  organizationId: string,
  phoneNumber: string,
): Promise<DndNumber | undefined> {
  return firstRow<DndNumber>(
    db,
    `${DND_NUMBER} where organization_id = :organizationId and phone_number = :phoneNumber`,
    { organizationId, phoneNumber },
  );
}

/** `phoneNumber` is in E.164. */
export async function isOnDndList(db: Db, organizationId: string, phoneNumber: string): Promise<boolean> {
  return (await findDndNumber(db, organizationId, phoneNumber)) !== undefined;
}

/** Returns numbers, newest first. */
export function listDndNumbers(db: Db, organizationId: string, limit: number): Promise<DndNumber[]> {
  return rows<DndNumber>(
    db,
    `${DND_NUMBER} where organization_id = :organizationId order by added_at desc, phone_number limit :limit`,
    { organizationId, limit },
  );
}

/** Returns a page, newest first, of all numbers or of `phoneNumber` alone. */
export function dndPage(
  db: Db,
  { organizationId, phoneNumber }: { organizationId: string; phoneNumber: string | undefined },
  page: Page,
): Promise<Listed<DndNumber>> {
  const { where, bindings } = ofOrganization(organizationId, { 'phone_number = :phoneNumber': phoneNumber });
  const total = countOf(db, 'dnd_numbers', { where, bindings }, 'added_at desc, phone_number desc');
  return listed(page, total, ({ limit, offset }) =>
    rows<DndNumber>(db, `${DND_NUMBER} where ${where} ${sortedBy('desc', 'added_at', 'phone_number')}`, {
      ...bindings,
      limit,
      offset,
    }),
  );
}

export async function countDndNumbers(db: Db, organizationId: string): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    'select count(*) as total from dnd_numbers where organization_id = :organizationId',
    { organizationId },
  );
  return total;
}

/** Number of expired answers to delete with each new one. More than 1, so that the table can't grow forever. */
const PRUNED_AT_ONCE = 10;

interface RegistryAnswer {
  /** E.164. */
  phoneNumber: string;
  listed: boolean;
  requestedAt: number;
  keptForMs: number;
}

/** Returns whether the registry listed the number in its cached answer. Undefined if there is no answer since `notBefore`. */
export async function freshAnswer(
  db: Db,
  phoneNumber: string,
  notBefore: number,
): Promise<boolean | undefined> {
  const answer = await firstRow<{ listed: boolean }>(
    db,
    'select listed from dnd_registry_answers where phone_number = :phoneNumber and requested_at > :notBefore',
    { phoneNumber, notBefore: timestamp(notBefore) },
  );
  return answer?.listed;
}

/**
 * Stores the answer unless a newer one is stored. Writes its row before it locks expired ones, and skips locked rows, so that writers don't
 * deadlock.
 */
export async function storeRegistryAnswer(db: Db, answer: RegistryAnswer): Promise<void> {
  const { phoneNumber, listed, requestedAt, keptForMs } = answer;
  await rows(
    db,
    `with written as (
       insert into dnd_registry_answers as kept (phone_number, listed, requested_at) values (:phoneNumber, :listed, :requestedAt)
       on conflict (phone_number) do update set listed = excluded.listed, requested_at = excluded.requested_at
       where kept.requested_at <= excluded.requested_at returning 1),
     past as (
       select phone_number from dnd_registry_answers
       where (select count(*) from written) >= 0 and requested_at <= :expired and phone_number <> :phoneNumber
       order by requested_at limit :pruned for update skip locked)
     delete from dnd_registry_answers a using past p where a.phone_number = p.phone_number`,
    {
      phoneNumber,
      listed,
      requestedAt: timestamp(requestedAt),
      expired: timestamp(requestedAt - keptForMs),
      pruned: PRUNED_AT_ONCE,
    },
  );
}

/** Returns the number to check. Null for an unknown call or a call without a number. */
export async function numberOfCall(db: Db, callId: string): Promise<string | null> {
  const call = await firstRow<{ toNumber: string | null }>(
    db,
    'select to_number as "toNumber" from calls where call_id = :callId',
    { callId },
  );
  return call?.toNumber ?? null;
}
