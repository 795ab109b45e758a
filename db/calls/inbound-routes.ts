/**
 * Records which agent answers which number, and which revision of the route the carrier has. Routes are identified by id, never by number.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

/** How long a changed route's workflow has to register it before reconciliation starts the workflow itself. */
const FIRST_CHECK_MS = 3_000;
/** How often a route is registered again, in case the carrier lost it. A rejected route is retried at the same interval. */
const RENEWED_EVERY_MS = 60 * 60_000;

/** A route to register with the carrier. */
export interface ChangedRoute {
  routeId: string;
  revision: number;
}

/** How an agent update affects its inbound route. */
export type RouteChange =
  | { kind: 'none' }
  /** Send the agent's new name, greeting or prompt to the carrier. */
  | { kind: 'renew' }
  /** Replaces the agent's previous number, if any. */
  | { kind: 'take'; number: string }
  | { kind: 'release' };

interface RouteOwner {
  organizationId: string;
  agentId: string;
}

/** Runs in the transaction that changes the agent. Check first that no other agent has the number. */
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
    `update inbound_routes set revision = revision + 1, refusal = null, check_at = :checkAt where agent_id = :agentId
     returning id as "routeId", revision`,
    { agentId, checkAt: timestamp(now + FIRST_CHECK_MS) },
  );
}

/** Registers the routes again after the owners of the numbers changed, because agents may have lost or regained the right to answer. */
export async function renewRoutesOf(trx: Db, numbers: readonly string[], now: number): Promise<void> {
  await rows(
    trx,
    `update inbound_routes set revision = revision + 1, refusal = null, check_at = :now where number = any(:numbers)`,
    { numbers: [...numbers], now: timestamp(now) },
  );
}

/**
 * Gives newly registered numbers to the organization's agents that are configured to answer them, even if another organization's agent had
 * the route, or the route was removed. At most one agent of an organization is configured with a number.
 */
export async function reassignRoutes(
  trx: Db,
  { organizationId, numbers }: { organizationId: string; numbers: readonly string[] },
  now: number,
): Promise<void> {
  const number = `deployment #>> '{phone,call_type,Inbound}'`;
  await rows(
    trx,
    // Locks the agents and then checks again, so that an agent that is just giving up the number is skipped.
    `with answering as materialized (
       select id, organization_id, ${number} as number from agents
       where organization_id = :organizationId and not archived and ${number} = any(:numbers) order by id for no key update)
     insert into inbound_routes as r (id, number, organization_id, agent_id, check_at)
     select gen_random_uuid(), number, organization_id, id, :now from answering
     on conflict (number) do update set organization_id = excluded.organization_id, agent_id = excluded.agent_id, revision = r.revision + 1,
       refusal = null, check_at = excluded.check_at
     where r.agent_id is distinct from excluded.agent_id`,
    { organizationId, numbers: [...numbers], now: timestamp(now) },
  );
}

function releaseRoute(trx: Db, agentId: string, now: number): Promise<ChangedRoute[]> {
  return rows<ChangedRoute>(
    trx,
    `update inbound_routes set organization_id = null, agent_id = null, revision = revision + 1, refusal = null, check_at = :checkAt
     where agent_id = :agentId returning id as "routeId", revision`,
    { agentId, checkAt: timestamp(now + FIRST_CHECK_MS) },
  );
}

/** Reuses the row of a number that the carrier hasn't removed yet. */
function takeRoute(
  trx: Db,
  { organizationId, agentId }: RouteOwner,
  number: string,
  now: number,
): Promise<ChangedRoute[]> {
  return rows<ChangedRoute>(
    trx,
    `insert into inbound_routes as r (id, number, organization_id, agent_id, check_at) values (:id, :number, :organizationId, :agentId, :checkAt)
     on conflict (number) do update set organization_id = excluded.organization_id, agent_id = excluded.agent_id, revision = r.revision + 1,
       refusal = null, check_at = excluded.check_at
     returning id as "routeId", revision`,
    { id: randomUUID(), number, organizationId, agentId, checkAt: timestamp(now + FIRST_CHECK_MS) },
  );
}

export interface RouteToRegister {
  number: string;
  revision: number;
  /** Null if the carrier must remove the number, because no agent answers it, or the agent that does must not use it. */
  agent: { displayName: string; config: unknown } | null;
}

/**
 * Returns the route to register now. Its agent is null if the organization may not use the number. Returns undefined once the route is
 * removed.
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
     from inbound_routes r left join agents a on a.id = r.agent_id and may_use_number(r.number, r.organization_id, :registeredOnly)
     left join agent_versions v on v.agent_id = a.id and v.version = a.version left join agent_configs f on f.id = v.config_id
     where r.id = :routeId`,
    { routeId, registeredOnly },
  );
}

/**
 * Records that the carrier has this revision. A late answer doesn't undo a newer revision. Deletes a route without an agent, unless an
 * agent has taken it since.
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
       check_at = case when revision = :revision then cast(:renewAt as timestamptz) else check_at end
     where id = :routeId and id not in (select id from gone)`,
    { routeId, revision, now: timestamp(now), renewAt: timestamp(now + RENEWED_EVERY_MS) },
  );
}

/** Records that the carrier rejected this revision. It is retried hourly and after a change. */
export async function recordRefused(
  db: Db,
  { routeId, revision }: ChangedRoute,
  refusal: string,
  now: number,
): Promise<void> {
  await rows(
    db,
    `update inbound_routes set refusal = :refusal, check_at = :askAgainAt where id = :routeId and revision = :revision`,
    { routeId, revision, refusal, askAgainAt: timestamp(now + RENEWED_EVERY_MS) },
  );
}

const PAGE = 200;

interface OverdueRoute {
  routeId: string;
  organizationId: string | null;
  agentId: string | null;
}

/**
 * Returns overdue routes, longest overdue first: `unregistered` for routes that weren't registered in time or were rejected, `registered`
 * for routes that are due for renewal.
 */
export function overdueRoutes(
  db: Db,
  which: 'unregistered' | 'registered',
  now: number,
): Promise<OverdueRoute[]> {
  const state = which === 'registered' ? "state = 'in place'" : "state <> 'in place'";
  return rows<OverdueRoute>(
    db,
    `select id as "routeId", organization_id as "organizationId", agent_id as "agentId" from inbound_routes
     where check_at < :now and ${state} order by check_at limit ${PAGE}`,
    { now: timestamp(now) },
  );
}

/**
 * Postpones the next check of these routes, so that the next passes check others first. Leaves out routes that have been registered since.
 */
export async function recheckRoutes(
  db: Db,
  routeIds: readonly string[],
  { now, at }: { now: number; at: number },
): Promise<void> {
  await rows(db, `update inbound_routes set check_at = :at where id = any(:routeIds) and check_at < :now`, {
    routeIds: [...routeIds],
    now: timestamp(now),
    at: timestamp(at),
  });
}
