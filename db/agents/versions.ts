/** Versions of an agent's configuration. A version never changes, and `store_version` removes old versions that no call used. */
import type { SectionName } from '../../domain/agent-config';
import type { Db } from '../kernel/connection';
import { collected, sortedBy, streamedPage, type Listed, type Page } from '../kernel/list-page';
import { countOf } from '../kernel/conditions';
import { firstRow, rows } from '../kernel/query';
import type { Agent } from './agents';

export interface AgentVersion {
  version: number;
  createdAt: Date;
  /** New calls use this version. */
  current: boolean;
  /** A call has used this version. */
  used: boolean;
  /** Sections that differ from the previous stored version; for the first version, the sections that it sets. */
  changed: SectionName[];
}

/** Returns SQL for a section. A missing section counts as an empty one. */
const section = (config: string): string => `coalesce(${config} -> name, '{}')`;

/** Also reads each version's previous configuration, which is cheap for one page. */
const VERSION = `select v.version, v.created_at as "createdAt", v.version = a.version as current, v.used,
  array(select name from unnest(array['persona', 'training', 'experience', 'analysis', 'deployment']) with ordinality as s(name, place)
        where ${section('f.config')} is distinct from ${section("coalesce(before.config, '{}')")} order by place) as changed
  from agent_versions v join agents a on a.id = v.agent_id join agent_configs f on f.id = v.config_id
  left join lateral (
    select c.config from agent_versions o join agent_configs c on c.id = o.config_id
    where o.agent_id = v.agent_id and o.version < v.version order by o.version desc limit 1
  ) before on true`;

/** Returns versions, newest first. Check first that the agent belongs to the organization. */
export async function agentVersions(db: Db, agentId: string, page: Page): Promise<Listed<AgentVersion>> {
  const found = { where: 'agent_id = :agentId', bindings: { agentId } };
  const versions = await streamedPage<number, AgentVersion>(
    page,
    countOf(db, 'agent_versions', found, 'version desc'),
    {
      keys: async ({ limit, offset }) => {
        const numbers = await rows<{ version: number }>(
          db,
          `select version from agent_versions where agent_id = :agentId ${sortedBy('desc', 'version')}`,
          { agentId, limit, offset },
        );
        return numbers.map(({ version }) => version);
      },
      rows: (numbers) =>
        rows(
          db,
          `${VERSION} where v.agent_id = :agentId and v.version = any(:numbers) order by v.version desc`,
          { agentId, numbers },
        ),
    },
  );
  return collected(versions);
}

/**
 * Returns the configuration by section. Undefined if the version doesn't exist. Check first that the agent belongs to the organization.
 */
export async function configOfVersion(
  db: Db,
  agentId: string,
  version: number,
): Promise<Agent['config'] | undefined> {
  const found = await firstRow<Pick<Agent, 'config'>>(
    db,
    `select f.config from agent_versions v join agent_configs f on f.id = v.config_id
     where v.agent_id = :agentId and v.version = :version`,
    { agentId, version },
  );
  return found?.config;
}
