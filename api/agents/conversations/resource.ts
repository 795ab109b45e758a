import type Joi from 'joi';
import type { KeptTurn } from '../../../db/agents/conversations';
import { KEPT_LIMITS } from '../../../domain/kept-conversation-limits';
import type { TurnExpectations } from '../../../domain/turn-expectations';
import { callVariables } from '../../http/input/variables';
import {
  about,
  defaulting,
  listOf,
  object,
  optional,
  typed,
  type Field,
  type ValueOf,
} from '../../http/schema/field';
import { flag, integer, nonEmptyText, notBlank } from '../../http/schema/kinds';

const texts = () =>
  optional(listOf(nonEmptyText(KEPT_LIMITS.expected), { least: 1, most: KEPT_LIMITS.texts }));

/** Closed, because a misspelt expectation would always be met. */
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
  (listOf(turn, { least: 1, most: KEPT_LIMITS.turns }) as Joi.AnySchema)
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

const fields = { conversations: listOf(keptConversation, { most: KEPT_LIMITS.conversations }) };

export const keptConversations = object(fields, { name: 'KeptConversations' });
export const replacingConversations = object(fields, { name: 'ReplaceConversations' });
export type KeptConversationsBody = ValueOf<typeof keptConversations>;

/** Limit of a whole body. Enough for a long list of ordinary conversations. */
export const MOST_VALUES = 3_000;
