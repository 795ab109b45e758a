/** Which agent answers which of our numbers, and which revision of that the carrier has. A route is named by its id, never by its number. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

/** How long a change's own workflow has to be started before reconciliation looks for it. */
const FIRST_LOOK_MS = 3_000;
/**
 * How often a registered route is registered again: a carrier that lost its routes has them back by then. A number that it refused is
 * retried as often.
 */
const RENEWED_EVERY_MS = 60 * 60_000;

/** A route to register with the carrier. */
export interface ChangedRoute {
  routeId: string;
  revision: number;
}

/** What becomes of an agent's route with a change of the agent. */
export type RouteChange =
  | { kind: 'none' }
  /** The carrier is to know another agent's name, greeting or prompt. */
  | { kind: 'renew' }
  /** In place of the number that it had, if any. */
  | { kind: 'take'; number: string }
  | { kind: 'release' };

interface RouteOwner {
  clientId: string;
  agentId: string;
}

/** In the transaction that changes the agent. That no other agent has the number is the caller's to know. */
export async function changeRoute(
  trx: Db,
  owner: RouteOwner,
  change: RouteChange,
  now: number,
): Promise<ChangedRoute[]> {
  switch (change.kind) {
    case 'none':
      return [];
    case 'renew':
      return renewRoute(trx, owner.agentId, now);
    case 'release':
      return releaseRoute(trx, owner.agentId, now);
    case 'take': {
      const released = await releaseRoute(trx, owner.agentId, now);
      return [...released, ...(await takeRoute(trx, owner, change.number, now))];
    }
  }
}

function renewRoute(trx: Db, agentId: string, now: number): Promise<ChangedRoute[]> {
  return rows<ChangedRoute>(
    trx,
    `update inbound_routes set revision = revision + 1, refusal = null, look_at = :lookAt where agent_id = :agentId
     returning id as "routeId", revision`,
    { agentId, lookAt: timestamp(now + FIRST_LOOK_MS) },
  );
}

/** After a change of whose numbers they are: the agent of one may have lost the right to answer it, or have got it back. */
export async function renewRoutesOf(trx: Db, numbers: readonly string[], now: number): Promise<void> {
  await rows(
    trx,
    `update inbound_routes set revision = revision + 1, refusal = null, look_at = :now where number = any(:numbers)`,
    { numbers: [...numbers], now: timestamp(now) },
  );
}

/**
 * After the numbers were registered for the client: of each that an agent of the client is configured to answer, the agent has the route,
 * also where another client's agent had it, or where it was removed. No two agents of a client are configured with one number.
 */
export async function handBackRoutes(
  trx: Db,
  { clientId, numbers }: { clientId: string; numbers: readonly string[] },
  now: number,
): Promise<void> {
  const number = `deployment #>> '{phone,call_type,Inbound}'`;
  await rows(
    trx,
    // The lock of a change of the agent: one that gives the number up meanwhile is waited for, and then has no part.
    `with answering as materialized (
       select id, client_id, ${number} as number from agents
       where client_id = :clientId and not archived and ${number} = any(:numbers) order by id for no key update)
     insert into inbound_routes as r (id, number, client_id, agent_id, look_at)
     select gen_random_uuid(), number, client_id, id, :now from answering
     on conflict (number) do update set client_id = excluded.client_id, agent_id = excluded.agent_id, revision = r.revision + 1,
       refusal = null, look_at = excluded.look_at
     where r.agent_id is distinct from excluded.agent_id`,
    { clientId, numbers: [...numbers], now: timestamp(now) },
  );
}

function releaseRoute(trx: Db, agentId: string, now: number): Promise<ChangedRoute[]> {
  return rows<ChangedRoute>(
    trx,
    `update inbound_routes set client_id = null, agent_id = null, revision = revision + 1, refusal = null, look_at = :lookAt
     where agent_id = :agentId returning id as "routeId", revision`,
    { agentId, lookAt: timestamp(now + FIRST_LOOK_MS) },
  );
}

/** A number that is still to be removed at the carrier keeps its row. */
function takeRoute(
  trx: Db,
  { clientId, agentId }: RouteOwner,
  number: string,
  now: number,
): Promise<ChangedRoute[]> {
  return rows<ChangedRoute>(
    trx,
    `insert into inbound_routes as r (id, number, client_id, agent_id, look_at) values (:id, :number, :clientId, :agentId, :lookAt)
     on conflict (number) do update set client_id = excluded.client_id, agent_id = excluded.agent_id, revision = r.revision + 1,
       refusal = null, look_at = excluded.look_at
     returning id as "routeId", revision`,
    { id: randomUUID(), number, clientId, agentId, lookAt: timestamp(now + FIRST_LOOK_MS) },
  );
}

export interface RouteToRegister {
  number: string;
  revision: number;
  /** Null: the carrier is to forget the number, as nobody answers it or nobody may. */
  agent: { displayName: string; config: unknown } | null;
}

/**
 * As it is wanted now; without an agent where that agent's client may not use the number. Undefined once the carrier has forgotten it.
 */
export function routeToRegister(
  db: Db,
  routeId: string,
  { registeredOnly }: { registeredOnly: boolean },
): Promise<RouteToRegister | undefined> {
  return firstRow<RouteToRegister>(
    db,
    `select r.number, r.revision,
       case when a.id is not null then jsonb_build_object('displayName', a.display_name, 'config', f.config) end as agent
     from inbound_routes r left join agents a on a.id = r.agent_id and may_use_number(r.number, r.client_id, :registeredOnly)
     left join agent_versions v on v.agent_id = a.id and v.version = a.version left join agent_configs f on f.id = v.config_id
     where r.id = :routeId`,
    { routeId, registeredOnly },
  );
}

/**
 * The carrier knows this revision. A number that it was to forget is forgotten here too, unless an agent took it meanwhile. An answer that
 * comes late does not undo a later one.
 */
export async function recordRegistered(
  db: Db,
  { routeId, revision }: ChangedRoute,
  now: number,
): Promise<void> {
  await rows(
    db,
    `with gone as (delete from inbound_routes where id = :routeId and agent_id is null and revision = :revision returning id)
     update inbound_routes set registered_revision = greatest(registered_revision, :revision), registered_at = :now, refusal = null,
       look_at = case when revision = :revision then cast(:renewAt as timestamptz) else look_at end
     where id = :routeId and id not in (select id from gone)`,
    { routeId, revision, now: timestamp(now), renewAt: timestamp(now + RENEWED_EVERY_MS) },
  );
}

/** The carrier would not have this revision: it is asked again when its turn comes, or when it changes. */
export async function recordRefused(
  db: Db,
  { routeId, revision }: ChangedRoute,
  refusal: string,
  now: number,
): Promise<void> {
  await rows(
    db,
    `update inbound_routes set refusal = :refusal, look_at = :askAgainAt where id = :routeId and revision = :revision`,
    { routeId, revision, refusal, askAgainAt: timestamp(now + RENEWED_EVERY_MS) },
  );
}

const PAGE = 200;

export interface OverdueRoute {
  routeId: string;
  clientId: string | null;
  agentId: string | null;
}

/**
 * `unregistered`: those that were not registered in time, or that the carrier refused. `registered`: those to register again. The longest
 * overdue first.
 */
export function overdueRoutes(
  db: Db,
  which: 'unregistered' | 'registered',
  now: number,
): Promise<OverdueRoute[]> {
  const state = which === 'registered' ? "state = 'in place'" : "state <> 'in place'";
  return rows<OverdueRoute>(
    db,
    `select id as "routeId", client_id as "clientId", agent_id as "agentId" from inbound_routes
     where look_at < :now and ${state} order by look_at limit ${PAGE}`,
    { now: timestamp(now) },
  );
}

/** Looked at: the next passes look at others first. One that was registered meanwhile is not brought forward. */
export async function lookAtRoutesAgain(
  db: Db,
  routeIds: readonly string[],
  { now, at }: { now: number; at: number },
): Promise<void> {
  await rows(db, `update inbound_routes set look_at = :at where id = any(:routeIds) and look_at < :now`, {
    routeIds: [...routeIds],
    now: timestamp(now),
    at: timestamp(at),
  });
}
