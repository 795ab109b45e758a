/** The numbers that are registered for a client: only it may call from them and answer their callers. */
import { canonicalNumber } from '../../domain/phone-number';
import { handBackRoutes, renewRoutesOf } from '../calls/inbound-routes';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

/** Whether numbers that are registered for nobody may be used. */
export interface NumberRule {
  registeredOnly: boolean;
}

/** E.164, in the order of the numbers. */
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

/** Of one client, or of all where it is null. In the order of the numbers. */
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

/** E.164, each once. */
export interface NumbersOfClient {
  clientId: string;
  numbers: readonly string[];
}

/**
 * `added` counts those that were registered for nobody before; `elsewhere` are another client's and stay so. The routes of what was added
 * are registered with the carrier anew, as another client's agent may have answered there: the client's own agent does from now on, if it is
 * configured to. `trx` is a transaction.
 */
export async function registerNumbers(
  trx: Db,
  { clientId, numbers }: NumbersOfClient,
  now: number,
): Promise<{ added: number; elsewhere: string[] }> {
  const added = await rows<{ number: string }>(
    trx,
    // In one order for everybody: two that register the same numbers would else wait for each other in a circle.
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

/** False where it was not registered for the client. */
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

/** Of the numbers those that the client may use, as they were given: another spelling of a registered number is the same number. */
export const usableNumbers = (
  db: Db,
  { clientId, numbers }: NumbersOfClient,
  rule: NumberRule,
): Promise<string[]> => usableBy(db, { client: ':owner::uuid', owner: clientId }, numbers, rule);

/** Of up to two thousand numbers each takes a while to read, and nearly always the first will do. */
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

/** Of the numbers those that the client of a call may use. */
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
