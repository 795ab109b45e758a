import { findAgent } from '../../db/agents/agents';
import { agentVersions, type AgentVersion } from '../../db/agents/versions';
import type { RouteTools } from '../dependencies/route-tools';
import { answers, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import { agentNotFound, numberInUse, numberNotYours, versionNotFound } from '../http/errors/refusals';
import { pageOf, paging } from '../http/input/fields';
import { uuidParam } from '../http/input/path';
import { iso } from '../http/presenters/instant';
import { pagination } from '../http/presenters/pagination';
import { pagination as paginationSchema } from '../http/resources/pagination';
import { about, list, object } from '../http/schema/field';
import { integer } from '../http/schema/kinds';
import { agentVersion, MOST_VERSION, versionRestored, type AgentVersionBody } from './resource';
import { restoreVersion } from './restore-version';

const params = uuidParam('agent_id', 'Identifier of the agent');

export const versionEndpoints = (tools: RouteTools): Endpoint[] => [listing(tools), restoring(tools)];

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/agent/:agent_id/versions',
    tag: 'Agents',
    summary: "List the versions of an agent's configuration, newest first",
    description:
      'Each change creates a version. Versions used by a call, the current version and the 50 before it are kept. Read one with `GET /api/agent/{agent_id}?version=`.',
    access: byKey,
    scope: 'read',
    input: { params, query: object(paging({ default: 20, most: 50 })) },
    answer: answers(
      'A page of versions',
      object({ data: list(agentVersion), pagination: paginationSchema }, { name: 'AgentVersionPage' }),
    ),
    refusals: [agentNotFound()],
    handle: async ({ params: { agent_id }, query }, organization) => {
      if ((await findAgent(db, organization.id, agent_id)) === undefined) throw agentNotFound();
      return agentVersions(db, agent_id, pageOf(query));
    },
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map(presentVersion),
      pagination: pagination(query, total),
    }),
  });

const presentVersion = ({ version, createdAt, current, used, changed }: AgentVersion): AgentVersionBody => ({
  version,
  created_at: iso(createdAt),
  current,
  used,
  changed,
});

const restoring = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/agent/:agent_id/restore',
    tag: 'Agents',
    summary: 'Restore an earlier version of an agent',
    description:
      'Restores all five sections and their secrets as a new version. A call keeps the configuration with which it started. If nothing differs, no version is created.',
    access: byKey,
    scope: 'configure',
    input: {
      params,
      body: json(
        object(
          { version: about(integer(1, MOST_VERSION), 'Number of the version to restore', 1) },
          { name: 'RestoreVersion' },
        ),
        { examples: { first: { summary: 'Restore the first version', value: { version: 1 } } } },
      ),
    },
    answer: answers('The version that is now current', versionRestored),
    refusals: [agentNotFound(), versionNotFound(), numberNotYours(), numberInUse()],
    handle: ({ params: { agent_id }, body }, organization) =>
      restoreVersion(
        deps,
        { agentId: agent_id, organizationId: organization.id, actor: organization.actor },
        body.version,
      ),
    present: (version) => ({ success: true, version }) as const,
  });
