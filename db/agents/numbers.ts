/** Registered numbers. Only the organization that registered a number may call from it or answer it. */
import { canonicalNumber } from '../../domain/phone-number';
import { reassignRoutes, renewRoutesOf } from '../calls/inbound-routes';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp, firstRow } from '../kernel/query';

export interface NumberRule {
  /** Unregistered numbers can't be used. */
  registeredOnly: boolean;
}

/** Returns numbers in E.164, sorted. */
export async function registeredNumbers(db: Db, organizationId: string): Promise<string[]> {
  const found = await rows<{ number: string }>(
    db,
    'select number from registered_numbers where organization_id = :organizationId order by number',
    { organizationId },
  );
  return found.map(({ number }) => number);
}

interface RegisteredNumber {
  number: string;
  organizationId: string;
  organizationName: string;
  addedAt: Date;
}

/** Returns the numbers of one organization, or of all if `organizationId` is null, sorted by number. */
export function listRegisteredNumbers(
  db: Db,
  organizationId: string | null,
  limit: number,
): Promise<RegisteredNumber[]> {
  return rows<RegisteredNumber>(
    db,
    `select n.number, n.organization_id as "organizationId", c.name as "organizationName", n.added_at as "addedAt"
     from registered_numbers n join organizations c on c.id = n.organization_id
     where :organizationId::uuid is null or n.organization_id = :organizationId::uuid order by n.number limit :limit`,
    { organizationId, limit },
  );
}

export interface NumbersOfOrganization {
  organizationId: string;
  /** E.164, without duplicates. */
  numbers: readonly string[];
}

/**
 * Registers numbers and moves their routes to the organization's agents that are configured to answer them. `trx` must be a transaction.
 * `added` counts new numbers; `elsewhere` lists numbers that stay with another organization.
 */
export async function registerNumbers(
  trx: Db,
  { organizationId, numbers }: NumbersOfOrganization,
  now: number,
): Promise<{ added: number; elsewhere: string[] }> {
  const added = await rows<{ number: string }>(
    trx,
    // Sorted so that two registrations of the same numbers don't deadlock.
    `insert into registered_numbers (number, organization_id, added_at)
     select n, :organizationId::uuid, :now from unnest(:numbers::text[]) n order by n on conflict do nothing returning number`,
    { organizationId, numbers: [...numbers], now: timestamp(now) },
  );
  const elsewhere = await rows<{ number: string }>(
    trx,
    'select number from registered_numbers where number = any(:numbers) and organization_id <> :organizationId order by number',
    { organizationId, numbers: [...numbers] },
  );
  const registered = added.map(({ number }) => number);
  await renewRoutesOf(trx, registered, now);
  await reassignRoutes(trx, { organizationId, numbers: registered }, now);
  return { added: added.length, elsewhere: elsewhere.map(({ number }) => number) };
}

/** Returns false if the number wasn't registered to the organization. */
export async function unregisterNumber(
  trx: Db,
  { organizationId, number }: { organizationId: string; number: string },
  now: number,
): Promise<boolean> {
  const removed = await rows(
    trx,
    'delete from registered_numbers where organization_id = :organizationId and number = :number returning 1',
    { organizationId, number },
  );
  if (removed.length > 0) await renewRoutesOf(trx, [number], now);
  return removed.length > 0;
}

/** Returns the numbers that the organization may use, spelled as in the request. Numbers are compared in canonical form. */
export const usableNumbers = (
  db: Db,
  { organizationId, numbers }: NumbersOfOrganization,
  rule: NumberRule,
): Promise<string[]> => usableBy(db, { organization: ':owner::uuid', owner: organizationId }, numbers, rule);

/**
 * Returns whether the organization may use any of the numbers. Checks the first one alone, because it nearly always suffices and there can
 * be 2,000 numbers.
 */
export async function mayUseAny(
  db: Db,
  { organizationId, numbers }: NumbersOfOrganization,
  rule: NumberRule,
): Promise<boolean> {
  for (const some of [numbers.slice(0, 1), numbers.slice(1)]) {
    if ((await usableNumbers(db, { organizationId, numbers: some }, rule)).length > 0) return true;
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
    { organization: '(select organization_id from calls where call_id = :owner)', owner: callId },
    numbers,
    rule,
  );

async function usableBy(
  db: Db,
  { organization, owner }: { organization: string; owner: string },
  numbers: readonly string[],
  { registeredOnly }: NumberRule,
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const { usable } = await onlyRow<{ usable: boolean[] }>(
    db,
    `select array_agg(may_use_number(n, ${organization}, :registeredOnly) order by place) as usable
     from unnest(:canonical::text[]) with ordinality as given(n, place)`,
    { owner, canonical: numbers.map(canonicalNumber), registeredOnly },
  );
  return numbers.filter((_number, index) => usable[index] === true);
}

/** Increments the agent's call counter, which all workers share, and returns it. The first call gets 1. */
export async function nextCallerIdTurn(db: Db, callId: string): Promise<number> {
  const { turn } = await onlyRow<{ turn: string }>(
    db,
    `insert into caller_id_rotation as t (agent_id, turn) select agent_id, 1 from calls where call_id = :callId
     on conflict (agent_id) do update set turn = t.turn + 1 returning turn`,
    { callId },
  );
  return Number(turn);
}

/** Returns the caller ID of the contact's previous dial. Null for a first dial, or if the carrier chose the caller ID. */
export async function callerIdBefore(db: Db, callId: string): Promise<string | null> {
  const before = await firstRow<{ from: string | null }>(
    db,
    `select p.from_number as "from" from calls k join calls p on p.contact_id = k.contact_id and p.attempt = k.attempt - 1
     where k.call_id = :callId`,
    { callId },
  );
  return before?.from ?? null;
}

/** Returns the settings that determine a call's caller ID. Undefined for a campaign's call. */
export function callerIdSources(
  db: Db,
  callId: string,
): Promise<
  { from: string | null; config: unknown; modifyAgent: Record<string, unknown> | null } | undefined
> {
  return firstRow(
    db,
    `select k.from_number as "from", k.modify_agent as "modifyAgent", f.config
     from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version join agent_configs f on f.id = v.config_id
     where k.call_id = :callId and k.campaign_id is null`,
    { callId },
  );
}
