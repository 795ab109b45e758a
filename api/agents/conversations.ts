/** Test conversations of an agent: schema and endpoints. */
import type Joi from 'joi';
import { findAgent } from '../../db/agents/agents';
import { keepConversations, keptConversations as kept, type KeptTurn } from '../../db/agents/conversations';
import { KEPT_LIMITS } from '../../domain/kept-conversation-limits';
import type { TurnExpectations } from '../../domain/turn-expectations';
import type { RouteTools } from '../dependencies';
import { answers, byKey, endpoint, json, type Endpoint, type RequestExample } from '../http/endpoint';
import { callVariables, flag, integer, nonEmptyText, notBlank } from '../http/schema/kinds';
import { assertRoom, bytesOf } from '../http/limits';
import { done } from '../http/responses';
import { agentNotFound, quotaRefusal } from '../http/errors/refusals';
import {
  about,
  defaulting,
  listOf,
  object,
  optional,
  typed,
  type Field,
  type ValueOf,
} from '../http/schema/field';
import { agentParams } from './schema';

const texts = () => optional(listOf(nonEmptyText(KEPT_LIMITS.expected), { min: 1, max: KEPT_LIMITS.texts }));

/** Rejects unknown keys, because a misspelt expectation would never fail. */
const expectations: Field<TurnExpectations> = object(
  {
    contains: about(texts(), 'The agent says all of these texts, in any case', ['paid']),
    contains_any: about(texts(), 'The agent says at least one of these texts'),
    not_contains: about(texts(), 'The agent says none of these texts', ['sorry']),
    says_nothing: about(optional(flag()), 'true: the agent says nothing. false: it says something'),
    max_words: about(optional(integer(0, KEPT_LIMITS.words)), 'Maximum number of words the agent says'),
    ends: about(optional(flag()), 'true: the agent ends the call. false: it does not'),
  },
  {
    name: 'TurnExpectations',
    description: 'All of them must be met. Same names and meanings as in conversation files',
    closed: true,
  },
);

const turn = object(
  {
    user: about(
      optional(notBlank(KEPT_LIMITS.typed)),
      'What the person types. Only the first turn may omit it, for what the agent says on its own',
      'Where is my refund?',
    ),
    expect: defaulting(expectations, {}),
  },
  { name: 'KeptTurn', closed: true },
);

const TURN = { $ref: '#/components/schemas/KeptTurn' };

/** The first turn decides who speaks first. In every other turn the agent waits for the person. */
const turns: Field<KeptTurn[]> = typed(
  (listOf(turn, { min: 1, max: KEPT_LIMITS.turns }) as Joi.AnySchema)
    .custom((given: KeptTurn[], helpers) =>
      given.slice(1).every(({ user }) => user !== undefined) ? given : helpers.error('turn.user'),
    )
    .meta({ jsonSchema: { prefixItems: [TURN], items: { ...TURN, required: ['user'] } } }),
);

const keptConversation = object(
  {
    title: about(notBlank(KEPT_LIMITS.title), 'Name shown in the list', 'A refund that takes long'),
    variables: about(
      defaulting(callVariables(), {}),
      'Template variables, like `metadata` of a dispatch: at most 100 keys and 16 KiB as JSON',
      { name: 'Asha' },
    ),
    turns: about(turns, 'Turns in order'),
  },
  { name: 'KeptConversation', closed: true },
);

const fields = { conversations: listOf(keptConversation, { max: KEPT_LIMITS.conversations }) };

const keptConversations = object(fields, { name: 'KeptConversations' });
const replacingConversations = object(fields, { name: 'ReplaceConversations' });
type KeptConversationsBody = ValueOf<typeof keptConversations>;

/** Limit for a whole body, enough for a long list of ordinary conversations. */
const MAX_VALUES = 3_000;

/**
 * Keep this order, because the OpenAPI document takes the schema of a conversation from the last endpoint. The request schema is stricter.
 */
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
    input: { params: agentParams },
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
      params: agentParams,
      body: json(replacingConversations, { examples: { refund: EXAMPLE }, maxValues: MAX_VALUES }),
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
