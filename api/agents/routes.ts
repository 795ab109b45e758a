import { agentPage, everyAgent, findAgent } from '../../db/agents/agents';
import { configOfVersion } from '../../db/agents/versions';
import { answers, answersInPieces, byKey, endpoint, type Endpoint, type JsonStream } from '../http/endpoint';
import { agentNotFound, versionNotFound } from '../http/errors/refusals';
import { digits, flag, MAX_PAGE, pageOf } from '../http/input/fields';
import { uuidParam } from '../http/input/path';
import { presentAgent, presentAgentWithConfig } from './present';
import { listStream, pageStream } from '../http/presenters/json-stream';
import { pagination } from '../http/presenters/pagination';
import { agent, agents, agentWithConfig, MOST_VERSION } from './resource';
import { pagination as paginationSchema } from '../http/resources/pagination';
import { about, defaulting, either, list, object, optional, type ValueOf } from '../http/schema/field';
import { textUpTo } from '../http/schema/kinds';
import type { RouteTools } from '../dependencies/route-tools';

const AGENTS_QUERY = object({
  search: about(optional(textUpTo(255)), 'Part of the display name or slug'),
  page: about(
    optional(digits(1, MAX_PAGE)),
    'Number of the page, starting at 1. If omitted, the response is a bare array of all agents',
  ),
  page_size: about(defaulting(digits(1, 200), 10), 'Maximum number of agents on a page'),
  published_only: about(defaulting(flag(), false), 'If true, only published agents are returned'),
});

const AGENT_QUERY = object({
  version: about(
    optional(digits(1, MOST_VERSION)),
    'Returns `config` of this version. All other fields are current',
    1,
  ),
});

const PAGE_OR_ALL = either(
  object({ data: list(agent), pagination: paginationSchema }, { name: 'AgentPage' }),
  agents,
);

export const agentEndpoints = (tools: RouteTools): Endpoint[] => [listing(tools), reading(tools)];

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/agents',
    tag: 'Agents',
    summary: 'List agents, newest first',
    access: byKey,
    scope: 'read',
    input: { query: AGENTS_QUERY },
    answer: answersInPieces('A page of agents, or all agents if page is omitted', PAGE_OR_ALL),
    handle: async ({ query: { search, page, page_size, published_only } }, organization) => {
      const filter = {
        organizationId: organization.id,
        publishedOnly: published_only,
        ...(search && { search }),
      };
      if (page === undefined) return { batches: await everyAgent(db, filter), total: null };
      return agentPage(db, filter, pageOf({ page, page_size }));
    },
    present: ({ batches, total }, { input: { query } }): JsonStream<ValueOf<typeof PAGE_OR_ALL>> => {
      const { page = 1, page_size } = query;
      return total === null
        ? listStream(batches, presentAgent)
        : pageStream(batches, presentAgent, pagination({ page, page_size }, total));
    },
  });

const reading = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/agent/:agent_id',
    tag: 'Agents',
    summary: 'Get an agent and its configuration',
    access: byKey,
    scope: 'read',
    input: { params: uuidParam('agent_id', 'Identifier of the agent'), query: AGENT_QUERY },
    answer: answers('The agent', agentWithConfig),
    refusals: [agentNotFound(), versionNotFound()],
    handle: async ({ params: { agent_id }, query: { version } }, organization) => {
      const found = await findAgent(db, organization.id, agent_id);
      if (found === undefined) throw agentNotFound();
      if (version === undefined) return found;
      const config = await configOfVersion(db, agent_id, version);
      if (config === undefined) throw versionNotFound();
      return { ...found, config };
    },
    present: presentAgentWithConfig,
  });
