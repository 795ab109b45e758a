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

/** In this order: what the document says last of a conversation is what a request may hold, which is the stricter. */
export const conversationEndpoints = (tools: RouteTools): Endpoint[] => [reading(tools), replacing(tools)];

const EXAMPLE: RequestExample = {
  summary: 'A greeting and an answer',
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
    summary: 'List the conversations that are kept to try an agent by',
    access: byKey,
    scope: 'read',
    input: { params },
    answer: answers('Those that were put last; none for an agent without', keptConversations),
    refusals: [agentNotFound()],
    handle: async ({ params: { agent_id } }, client) => {
      if ((await findAgent(db, client.id, agent_id)) === undefined) throw agentNotFound();
      return kept(db, agent_id);
    },
    present: (conversations): KeptConversationsBody => ({ conversations }),
  });

const replacing = ({ deps }: RouteTools) =>
  endpoint({
    method: 'put',
    path: '/api/agent/:agent_id/conversations',
    tag: 'Agents',
    summary: 'Replace the conversations that are kept to try an agent by',
    description:
      'All of them, in their order. They make no version of the agent, and go with its archiving. What calls said is deleted after its time; what stands here stays: write nothing of a real person.',
    access: byKey,
    scope: 'configure',
    input: {
      params,
      body: json(replacingConversations, { examples: { refund: EXAMPLE }, mostValues: MOST_VALUES }),
    },
    answer: answers('They are kept', done),
    refusals: [agentNotFound(), quotaRefusal()],
    handle: async ({ params: { agent_id: agentId }, body: { conversations } }, client) => {
      const { db, clock } = deps;
      await assertRoom(deps, client, {
        agent_bytes: conversations.length === 0 ? 0 : bytesOf(conversations),
      });
      const keeping = { clientId: client.id, agentId, conversations, actor: client.actor, now: clock.now() };
      if (!(await keepConversations(db, keeping))) throw agentNotFound();
    },
    present: () => ({ success: true }) as const,
  });
