import { agentPage, everyAgent, findAgent } from '../../db/agents/agents';
import { configOfVersion } from '../../db/agents/versions';
import { SECTION_NAMES, type SectionName } from '../../domain/agent-config';
import type { RouteTools } from '../dependencies';
import { answers, answersInPieces, byKey, endpoint, type Endpoint, type JsonStream } from '../http/endpoint';
import { digits, flag, MAX_PAGE, pageOf, uuid } from '../http/input/fields';
import { assertRoom, bytesOf } from '../http/limits';
import { listStream, pageStream, presentPagination, done, pagination } from '../http/responses';
import { oneOf, textUpTo } from '../http/schema/kinds';
import {
  agentNotFound,
  numberInUse,
  numberNotYours,
  quotaRefusal,
  versionNotFound,
} from '../http/errors/refusals';
import { about, defaulting, either, list, object, optional, type ValueOf } from '../http/schema/field';
import { createAgent, removeAgent, updateSection } from './change';
import { conversationEndpoints } from './conversations';
import {
  agent,
  agents,
  agentWithConfig,
  createdAgent,
  presentAgent,
  presentAgentWithConfig,
  sectionUpdated,
} from './present';
import { agentParams, newAgentBody, sectionBody } from './schema';
import { MAX_VERSION, versionEndpoints } from './versions';

const AGENTS_QUERY = object({
  search: about(optional(textUpTo(255)), 'Part of the display name or slug'),
  page: about(
    optional(digits(1, MAX_PAGE)),
    'Page number, starting at 1. If omitted, the response is a bare array of all agents',
  ),
  page_size: about(defaulting(digits(1, 200), 10), 'Maximum number of agents on a page'),
  published_only: about(defaulting(flag(), false), 'If true, only published agents are returned'),
});

const AGENT_QUERY = object({
  version: about(
    optional(digits(1, MAX_VERSION)),
    'Returns `config` of this version. All other fields are current',
    1,
  ),
});

const PAGE_OR_ALL = either(object({ data: list(agent), pagination }, { name: 'AgentPage' }), agents);

export const agentEndpoints = (tools: RouteTools): Endpoint[] => [
  creating(tools),
  listing(tools),
  reading(tools),
  ...SECTION_NAMES.map((section) => updatingSection(tools, section)),
  unknownSection,
  archiving(tools),
  ...versionEndpoints(tools),
  ...conversationEndpoints(tools),
];

const creating = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/create-agent',
    tag: 'Agents',
    summary: 'Create an agent',
    description: 'The agent is published immediately. Undocumented keys of a section are stored unchanged.',
    access: byKey,
    scope: 'configure',
    input: { body: newAgentBody(deps.settings) },
    answer: answers('The new agent', createdAgent),
    refusals: [numberNotYours(), numberInUse(), quotaRefusal()],
    handle: ({ body }, organization) => createAgent(deps, body, organization),
    present: ({ agentId, displayName: name }, { who }) => ({
      success: true,
      agent_id: agentId,
      agent_name: name,
      client_id: who.id,
    }),
  });

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
        : pageStream(batches, presentAgent, presentPagination({ page, page_size }, total));
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
    input: { params: agentParams, query: AGENT_QUERY },
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

const updatingSection = ({ deps }: RouteTools, section: SectionName) =>
  endpoint({
    method: 'patch',
    path: `/api/agent/:agent_id/${section}`,
    tag: 'Agents',
    summary: `Update an agent's ${section} section`,
    description:
      'Deep merge: only the sent keys change, arrays are replaced, and null restores a default. A call keeps the configuration with which it started.',
    access: byKey,
    scope: 'configure',
    input: {
      params: agentParams,
      body: sectionBody(section, deps.settings),
    },
    answer: answers('The section is updated', sectionUpdated),
    refusals:
      section === 'deployment'
        ? [agentNotFound(), numberNotYours(), numberInUse(), quotaRefusal()]
        : [agentNotFound(), quotaRefusal()],
    handle: async ({ params, body }, organization) => {
      await assertRoom(deps, organization, { agent_bytes: bytesOf(body) });
      await updateSection(
        deps,
        { agentId: params.agent_id, organizationId: organization.id, actor: organization.actor },
        { section, change: body },
      );
    },
    present: () => {
      const name = section.charAt(0).toUpperCase() + section.slice(1);
      return { success: true, message: `${name} section updated successfully` } as const;
    },
  });

/** An unknown section is a 422, like any other invalid value. */
const unknownSection = endpoint({
  method: 'patch',
  path: '/api/agent/:agent_id/:section',
  hidden: true,
  tag: 'Agents',
  summary: 'Always fails, because there is no such section',
  access: byKey,
  scope: 'configure',
  input: {
    params: object({ agent_id: uuid(), section: about(oneOf(...SECTION_NAMES), 'Name of the section') }),
  },
  answer: answers('Never', sectionUpdated),
  handle: () => {
    throw agentNotFound();
  },
  present: (never: never) => never,
});

const archiving = ({ deps }: RouteTools) =>
  endpoint({
    method: 'delete',
    path: '/api/agent/:agent_id',
    tag: 'Agents',
    summary: 'Archive an agent',
    description: 'The agent is unknown from then on. Its campaigns continue with its last configuration.',
    access: byKey,
    scope: 'configure',
    input: { params: agentParams },
    answer: answers('The agent is archived', done),
    refusals: [agentNotFound()],
    handle: ({ params }, organization) =>
      removeAgent(deps, {
        agentId: params.agent_id,
        organizationId: organization.id,
        actor: organization.actor,
      }),
    present: () => ({ success: true }) as const,
  });
