import Router from '@koa/router';
import Joi from 'joi';
import { insertAgent } from '../../db/agents';
import type { Client } from '../../db/clients';
import { inboundNumber, promptOf, type AgentConfig } from '../../workflows/domain/agent-config';
import { nthSlug, slugOf } from '../../workflows/domain/slug';
import { validateAgentConfig } from '../agent-config';
import type { ApiDependencies } from '../dependencies';
import { invalidInput, numberInUse } from '../errors/refusals';
import { jsonBody } from '../input/json-body';
import { check } from '../input/validate';
import { endpoint, type ApiContext, type ApiState } from '../pipeline';
import type { RouteTools } from './route-tools';

interface NewAgentInput {
  displayName: string;
  config: AgentConfig;
}

const CREATE_AGENT = Joi.object<{ agent_display_name: string; config?: unknown }>({
  agent_display_name: Joi.string().max(255).pattern(/\S/, 'not blank').required(),
  config: Joi.any(),
});

export function createAgentRoute({ deps, authenticate }: RouteTools): Router<ApiState> {
  const router = new Router<ApiState>();
  router.post(
    '/api/create-agent',
    endpoint({
      authenticate,
      validate: readNewAgent,
      handle: (input, client) => createAgent(deps, input, client),
      present: ({ agentId, displayName }, _ctx, client) => ({
        success: true,
        agent_id: agentId,
        agent_name: displayName,
        client_id: client.id,
      }),
    }),
  );
  return router;
}

/** Faults of the name and of the configuration are told together. */
async function readNewAgent(ctx: ApiContext): Promise<NewAgentInput> {
  const body = await jsonBody(ctx, { checkedApart: ['config'] });
  const fields = check(CREATE_AGENT, body, 'body');
  const config = validateAgentConfig(body.config);
  const faults = [fields, config].flatMap((checked) => ('faults' in checked ? checked.faults : []));
  if ('faults' in fields || 'faults' in config) throw invalidInput(faults);
  return { displayName: fields.value.agent_display_name.trim(), config: config.value };
}

async function createAgent(
  { db, clock }: ApiDependencies,
  { displayName, config }: NewAgentInput,
  client: Client,
): Promise<{ agentId: string; displayName: string }> {
  const insertion = await insertAgent(db, {
    clientId: client.id,
    displayName,
    nthName: (n) => nthSlug(slugOf(displayName), n),
    status: promptOf(config).trim() === '' ? 'initialized' : 'running',
    config,
    inboundNumber: inboundNumber(config),
    now: clock.now(),
  });
  if (insertion.kind === 'number_in_use') throw numberInUse();
  return { agentId: insertion.id, displayName };
}
