import { findAgent } from '../../../db/agents/agents';
import { keepConversations, keptConversations as kept } from '../../../db/agents/conversations';
import type { RouteTools } from '../../dependencies/route-tools';
import { answers, byKey, endpoint, json, type Endpoint, type RequestExample } from '../../http/endpoint';
import { agentNotFound, quotaRefusal } from '../../http/errors/refusals';
import { assertRoom, bytesOf } from '../../http/limits';
import { uuidParam } from '../../http/input/path';
import { done } from '../../http/resources/done';
import {
  keptConversations,
  MOST_VALUES,
  replacingConversations,
  type KeptConversationsBody,
} from './resource';

const params = uuidParam('agent_id', 'Identifier of the agent');

/** Keep this order. The OpenAPI document takes the schema of a conversation from the last endpoint, and the schema of requests is stricter. */
export const conversationEndpoints = (tools: RouteTools): Endpoint[] => [reading(tools), replacing(tools)];

const EXAMPLE: RequestExample = {
  summary: 'Check a greeting and an answer',
  value: {
    conversations: [
      {
        title: 'A refund that takes long',
        variables: { name: 'Asha' },
        turns: [
          { expect: { contains: ['Asha'] } },
          { user: 'Where is my refund?', expect: { contains_any: ['paid', 'days'], ends: false } },
        ],
      },
    ],
  },
};

const reading = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/agent/:agent_id/conversations',
    tag: 'Agents',
    summary: 'List the test conversations of an agent',
    access: byKey,
    scope: 'read',
    input: { params },
    answer: answers('The stored conversations, possibly none', keptConversations),
    refusals: [agentNotFound()],
    handle: async ({ params: { agent_id } }, organization) => {
      if ((await findAgent(db, organization.id, agent_id)) === undefined) throw agentNotFound();
      return kept(db, agent_id);
    },
    present: (conversations): KeptConversationsBody => ({ conversations }),
  });

const replacing = ({ deps }: RouteTools) =>
  endpoint({
    method: 'put',
    path: '/api/agent/:agent_id/conversations',
    tag: 'Agents',
    summary: 'Replace the test conversations of an agent',
    description:
      'Replaces all of them, in the given order. They create no version of the agent and are deleted when it is archived. They have no retention period, so do not include personal data.',
    access: byKey,
    scope: 'configure',
    input: {
      params,
      body: json(replacingConversations, { examples: { refund: EXAMPLE }, mostValues: MOST_VALUES }),
    },
    answer: answers('The conversations are stored', done),
    refusals: [agentNotFound(), quotaRefusal()],
    handle: async ({ params: { agent_id: agentId }, body: { conversations } }, organization) => {
      const { db, clock } = deps;
      await assertRoom(deps, organization, {
        agent_bytes: conversations.length === 0 ? 0 : bytesOf(conversations),
      });
      const keeping = {
        organizationId: organization.id,
        agentId,
        conversations,
        actor: organization.actor,
        now: clock.now(),
      };
      if (!(await keepConversations(db, keeping))) throw agentNotFound();
    },
    present: () => ({ success: true }) as const,
  });
