import { insertAgent } from '../../db/agents/agents';
import { inboundNumber, numbersOf, type AgentConfig } from '../../domain/agent-config';
import { agentStatus } from '../../domain/agent-status';
import { nthSlug, slugOf } from '../../domain/slug';
import { validateAgentConfig, withoutForbiddenTransfers } from './config';
import type { TransferRules } from '../../domain/transfer';
import { agentConfig } from './config/documented';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { AgentSecrets } from './config/secrets/agent-secrets';
import { signalRoutes } from './signal-routes';
import type { Caller } from '../http/auth/api-key';
import type { ApiDependencies } from '../dependencies';
import { answers, byKey, endpoint, type Body, type Endpoint } from '../http/endpoint';
import { numberInUse, numberNotYours, quotaRefusal } from '../http/errors/refusals';
import { assertRoom, bytesOf } from '../http/limits';
import { jsonBody } from '../http/input/json-body';
import { check } from '../http/input/validate';
import { createdAgent } from './resource';
import { about, nullable, object, optional, type Field } from '../http/schema/field';
import { anything, notBlank } from '../http/schema/kinds';
import type { RouteTools } from '../dependencies/route-tools';

interface NewAgentInput {
  displayName: string;
  config: AgentConfig;
}

const displayName = (): Field<string> =>
  about(notBlank(255), 'Human-readable name. The slug agent_name is derived from it', 'Check-up reminder');

const CREATE_AGENT = object({ agent_display_name: displayName(), config: optional(anything()) });

const DOCUMENTED = object(
  {
    agent_display_name: displayName(),
    config: about(optional(nullable(agentConfig)), 'Sections of the configuration, all optional'),
  },
  { name: 'CreateAgent' },
);

const newAgentBody = (rules: TransferRules): Body<NewAgentInput> => ({
  content: { 'application/json': DOCUMENTED },
  examples: {
    reminder: {
      summary: 'A reminder agent',
      value: {
        agent_display_name: 'Check-up reminder',
        config: {
          persona: {
            identity: {
              system_prompt: 'You remind patients of their check-up. Ask which day suits them.',
              greeting_message: { agent_message: 'Hello {{name}}, this is the clinic in {{city}}.' },
            },
          },
          analysis: {
            extraction: {
              data_collection: {
                enabled: true,
                data_points: [{ name: 'day', prompt: 'Which weekday suits the patient?', nullable: true }],
              },
            },
          },
        },
      },
    },
    empty: { summary: 'An agent with just a name', value: { agent_display_name: 'Empty' } },
  },
  /** Reports faults of the name and of the configuration together. */
  read: async (ctx) => {
    const body = await jsonBody(ctx, { mostValues: MAXIMA.values, checkedApart: ['config'] });
    const fields = check(CREATE_AGENT, body, 'body');
    const config = withoutForbiddenTransfers(validateAgentConfig(body.config), (sections) => sections, {
      rules,
      locOf: (section) => ['body', 'config', section],
    });
    if ('faults' in fields || 'faults' in config) {
      return { faults: [fields, config].flatMap((part) => ('faults' in part ? part.faults : [])) };
    }
    return { value: { displayName: fields.value.agent_display_name.trim(), config: config.value } };
  },
});

export const createAgentEndpoints = ({ deps }: RouteTools): Endpoint[] => [
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
  }),
];

async function createAgent(
  deps: ApiDependencies,
  { displayName: name, config }: NewAgentInput,
  organization: Caller,
): Promise<{ agentId: string; displayName: string }> {
  const { db, clock, settings } = deps;
  await assertRoom(deps, organization, { agents: 1, agent_bytes: bytesOf(config) });
  const insertion = await insertAgent(db, {
    organizationId: organization.id,
    displayName: name,
    nthName: (n) => nthSlug(slugOf(name), n),
    status: agentStatus(config),
    config: new AgentSecrets({ ...settings, organizationId: organization.id }).seal(config),
    inboundNumber: inboundNumber(config),
    numbers: numbersOf(config),
    numberRule: settings,
    actor: organization.actor,
    now: clock.now(),
  });
  if (insertion.kind === 'number_not_yours') throw numberNotYours();
  if (insertion.kind === 'number_in_use') throw numberInUse();
  await signalRoutes(deps, { organizationId: organization.id, agentId: insertion.id }, insertion.routes);
  return { agentId: insertion.id, displayName: name };
}
