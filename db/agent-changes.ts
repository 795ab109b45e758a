import { isInboundElsewhere } from './agent-locks';
import { recordAudit, type Actor } from './audit';
import type { Db } from './connection';
import { changeRoute, type ChangedRoute, type RouteChange } from './inbound-routes';
import { firstRow, rows, timestamp } from './query';

export interface StoredAgentConfig {
  version: number;
  /** By section. */
  config: Record<string, unknown>;
}

/** What a configuration becomes, and what follows from it. */
export interface Revision {
  config: Record<string, unknown>;
  status: 'initialized' | 'running';
  /** Of the number whose callers the agent answers. */
  route: RouteChange;
}

export interface ConfigChange<Refusal> {
  clientId: string;
  agentId: string;
  /** Decides under the agent's lock: null changes nothing. */
  revise: (stored: StoredAgentConfig) => { revision: Revision | null } | { refusal: Refusal };
  /** What the audit says was changed. */
  fields: string[];
  actor: Actor;
  now: number;
}

export type ConfigChangeResult<Refusal> =
  /** `version` is the one that calls run from now on: the same as before where nothing was changed. */
  | { kind: 'updated'; version: number; routes: ChangedRoute[] }
  | { kind: 'unknown' }
  | { kind: 'number_in_use' }
  | { kind: 'refused'; refusal: Refusal };

/**
 * Writes the revised configuration as a new version. Of two changes at once neither is lost. Another client's and an archived agent
 * are unknown.
 */
export function changeAgentConfig<Refusal>(
  db: Db,
  { clientId, agentId, revise, fields, actor, now }: ConfigChange<Refusal>,
): Promise<ConfigChangeResult<Refusal>> {
  return db.transaction(async (trx) => {
    const stored = await lockAgent(trx, clientId, agentId);
    if (stored === undefined) return { kind: 'unknown' };
    const decision = revise(stored);
    if ('refusal' in decision) return { kind: 'refused', refusal: decision.refusal };
    const { revision } = decision;
    if (revision === null) return { kind: 'updated', version: stored.version, routes: [] };
    const { route } = revision;
    if (route.kind === 'take' && (await isInboundElsewhere(trx, route.number, agentId))) {
      return { kind: 'number_in_use' };
    }
    const version = stored.version + 1;
    await writeVersion(trx, agentId, { ...revision, version }, now);
    const routes = await changeRoute(trx, { clientId, agentId }, route, now);
    await recordAudit(trx, { clientId, actor, action: 'agent.update', subjectId: agentId, fields, now });
    return { kind: 'updated', version, routes };
  });
}

function lockAgent(trx: Db, clientId: string, agentId: string): Promise<StoredAgentConfig | undefined> {
  return firstRow<StoredAgentConfig>(
    trx,
    'select version, config from agents where id = :agentId and client_id = :clientId and not archived for no key update',
    { agentId, clientId },
  );
}

async function writeVersion(
  trx: Db,
  agentId: string,
  { version, config, status }: Revision & { version: number },
  now: number,
): Promise<void> {
  await rows(
    trx,
    `with kept as (
       insert into agent_versions (agent_id, version, config, created_at) values (:agentId, :version, :config, :now)
     )
     update agents set version = :version, config = :config, status = :status, last_edited_at = :now where id = :agentId`,
    {
      agentId,
      version,
      config: JSON.stringify(config),
      status,
      now: timestamp(now),
    },
  );
}

/**
 * Unknown from here on: null where it was before, else the routes that the carrier is to be told of. Its inbound number is free for another
 * agent. What runs with it goes on: its campaigns dial to their end with the version of now, and calls on the line finish.
 */
export function archiveAgent(
  db: Db,
  { clientId, agentId, actor, now }: { clientId: string; agentId: string; actor: Actor; now: number },
): Promise<ChangedRoute[] | null> {
  return db.transaction(async (trx) => {
    if ((await lockAgent(trx, clientId, agentId)) === undefined) return null;
    await rows(
      trx,
      `update agents set archived = true, status = 'stopped', last_edited_at = :now where id = :agentId`,
      { agentId, now: timestamp(now) },
    );
    const routes = await changeRoute(trx, { clientId, agentId }, { kind: 'release' }, now);
    await recordAudit(trx, { clientId, actor, action: 'agent.archive', subjectId: agentId, now });
    return routes;
  });
}
