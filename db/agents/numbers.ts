/** Registered numbers, which only one organization may call from and answer. */
import { canonicalNumber } from '../../domain/phone-number';
import { handBackRoutes, renewRoutesOf } from '../calls/inbound-routes';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

export interface NumberRule {
  /** Unregistered numbers can't be used. */
  registeredOnly: boolean;
}

/** Returns numbers in E.164, sorted. */
export async function registeredNumbers(db: Db, clientId: string): Promise<string[]> {
  const found = await rows<{ number: string }>(
    db,
    'select number from registered_numbers where client_id = :clientId order by number',
    { clientId },
  );
  return found.map(({ number }) => number);
}

export interface RegisteredNumber {
  number: string;
  clientId: string;
  clientName: string;
  addedAt: Date;
}

/** Returns the numbers of one organization, or of all if `clientId` is null, sorted by number. */
export function listRegisteredNumbers(
  db: Db,
  clientId: string | null,
  limit: number,
): Promise<RegisteredNumber[]> {
  return rows<RegisteredNumber>(
    db,
    `select n.number, n.client_id as "clientId", c.name as "clientName", n.added_at as "addedAt"
     from registered_numbers n join clients c on c.id = n.client_id
     where :clientId::uuid is null or n.client_id = :clientId::uuid order by n.number limit :limit`,
    { clientId, limit },
  );
}

export interface NumbersOfClient {
  clientId: string;
  /** E.164, without duplicates. */
  numbers: readonly string[];
}

/**
 * Registers numbers in the transaction `trx`, and moves their routes to the agents of the organization that are configured to answer them.
 * `added` counts new numbers; `elsewhere` belong to another organization and stay there.
 */
export async function registerNumbers(
  trx: Db,
  { clientId, numbers }: NumbersOfClient,
  now: number,
): Promise<{ added: number; elsewhere: string[] }> {
  const added = await rows<{ number: string }>(
    trx,
    // Sorted, because two registrations of the same numbers would deadlock otherwise.
    `insert into registered_numbers (number, client_id, added_at)
     select n, :clientId::uuid, :now from unnest(:numbers::text[]) n order by n on conflict do nothing returning number`,
    { clientId, numbers: [...numbers], now: timestamp(now) },
  );
  const elsewhere = await rows<{ number: string }>(
    trx,
    'select number from registered_numbers where number = any(:numbers) and client_id <> :clientId order by number',
    { clientId, numbers: [...numbers] },
  );
  const registered = added.map(({ number }) => number);
  await renewRoutesOf(trx, registered, now);
  await handBackRoutes(trx, { clientId, numbers: registered }, now);
  return { added: added.length, elsewhere: elsewhere.map(({ number }) => number) };
}

/** Returns false if the number wasn't registered to the organization. */
export async function unregisterNumber(
  trx: Db,
  { clientId, number }: { clientId: string; number: string },
  now: number,
): Promise<boolean> {
  const removed = await rows(
    trx,
    'delete from registered_numbers where client_id = :clientId and number = :number returning 1',
    { clientId, number },
  );
  if (removed.length > 0) await renewRoutesOf(trx, [number], now);
  return removed.length > 0;
}

/** Returns the numbers that the organization may use, as given. Different spellings of a number count as the same. */
export const usableNumbers = (
  db: Db,
  { clientId, numbers }: NumbersOfClient,
  rule: NumberRule,
): Promise<string[]> => usableBy(db, { client: ':owner::uuid', owner: clientId }, numbers, rule);

/** Checks the first number alone, because it nearly always suffices and there can be 2,000 numbers. */
export async function mayUseAny(
  db: Db,
  { clientId, numbers }: NumbersOfClient,
  rule: NumberRule,
): Promise<boolean> {
  for (const some of [numbers.slice(0, 1), numbers.slice(1)]) {
    if ((await usableNumbers(db, { clientId, numbers: some }, rule)).length > 0) return true;
  }
  return false;
}

/** Returns the numbers that the call's organization may use. */
export const usableNumbersOfCall = (
  db: Db,
  { callId, numbers }: { callId: string; numbers: readonly string[] },
  rule: NumberRule,
): Promise<string[]> =>
  usableBy(
    db,
    { client: '(select client_id from calls where call_id = :owner)', owner: callId },
    numbers,
    rule,
  );

async function usableBy(
  db: Db,
  { client, owner }: { client: string; owner: string },
  numbers: readonly string[],
  { registeredOnly }: NumberRule,
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const { usable } = await onlyRow<{ usable: boolean[] }>(
    db,
    `select array_agg(may_use_number(n, ${client}, :registeredOnly) order by place) as usable
     from unnest(:canonical::text[]) with ordinality as given(n, place)`,
    { owner, canonical: numbers.map(canonicalNumber), registeredOnly },
  );
  return numbers.filter((_number, index) => usable[index] === true);
}
