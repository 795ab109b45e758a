import Router from '@koa/router';
import Joi from 'joi';
import { countAgents, findAgent, listAgents } from '../../db/agents';
import { agentNotFound } from '../errors/refusals';
import { digits, flag, MAX_PAGE, pageOf } from '../input/fields';
import { uuidParam } from '../input/path';
import { queryOf } from '../input/query';
import { endpoint, type ApiState } from '../pipeline';
import { presentAgent, presentAgentWithConfig } from '../presenters/agent';
import { pagination } from '../presenters/pagination';
import type { RouteTools } from './route-tools';

interface AgentsQuery {
  search?: string;
  page?: number;
  page_size: number;
  published_only: boolean;
}

const AGENTS_QUERY = Joi.object<AgentsQuery>({
  search: Joi.string().allow('').max(255),
  page: digits(1, MAX_PAGE),
  page_size: digits(1, 200).default(10),
  published_only: flag().default(false),
});

export function agentRoutes({ deps, authenticate }: RouteTools): Router<ApiState> {
  const { db } = deps;
  const router = new Router<ApiState>();

  router.get(
    '/api/agents',
    endpoint({
      authenticate,
      validate: (ctx) => queryOf(ctx, AGENTS_QUERY),
      handle: async ({ search, page, page_size, published_only }, client) => {
        const filter = { clientId: client.id, publishedOnly: published_only, ...(search && { search }) };
        if (page === undefined) return { agents: await listAgents(db, filter), paging: null, total: 0 };
        const paging = { page, page_size };
        const [agents, total] = await Promise.all([
          listAgents(db, filter, pageOf(paging)),
          countAgents(db, filter),
        ]);
        return { agents, paging, total };
      },
      present: ({ agents, paging, total }) => {
        const data = agents.map(presentAgent);
        return paging === null ? data : { data, pagination: pagination(paging, total) };
      },
    }),
  );

  router.get(
    '/api/agent/:agent_id',
    endpoint({
      authenticate,
      validate: (ctx) => uuidParam(ctx, 'agent_id'),
      handle: async (agentId, client) => {
        const agent = await findAgent(db, client.id, agentId);
        if (agent === undefined) throw agentNotFound();
        return agent;
      },
      present: presentAgentWithConfig,
    }),
  );

  return router;
}
