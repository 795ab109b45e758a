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

/** Closed: a misspelt expectation would always be met. */
const expectations: Field<TurnExpectations> = object(
  {
    contains: about(texts(), 'All of them are said, in any case', ['paid']),
    contains_any: about(texts(), 'At least one of them is said'),
    not_contains: about(texts(), 'None of them is said', ['sorry']),
    says_nothing: about(optional(flag()), 'The agent says nothing; or, false, it says something'),
    max_words: about(optional(integer(0, KEPT_LIMITS.words)), 'It says no more words'),
    ends: about(optional(flag()), 'It has ended the call; or, false, it has not'),
  },
  {
    name: 'TurnExpectations',
    description: 'All must be met. With the names and meanings of scripted conversations in files',
    closed: true,
  },
);

const turn = object(
  {
    user: about(
      optional(notBlank(KEPT_LIMITS.typed)),
      'What the person types. Only a first turn may be without: what the agent says by itself',
      'Where is my refund?',
    ),
    expect: defaulting(expectations, {}),
  },
  { name: 'KeptTurn', closed: true },
);

const TURN = { $ref: '#/components/schemas/KeptTurn' };

/** Who speaks first says so in the first turn; in any other the agent waits for the person. */
const turns: Field<KeptTurn[]> = typed(
  (listOf(turn, { least: 1, most: KEPT_LIMITS.turns }) as Joi.AnySchema)
    .custom((given: KeptTurn[], helpers) =>
      given.slice(1).every(({ user }) => user !== undefined) ? given : helpers.error('turn.user'),
    )
    .meta({ jsonSchema: { prefixItems: [TURN], items: { ...TURN, required: ['user'] } } }),
);

const keptConversation = object(
  {
    title: about(notBlank(KEPT_LIMITS.title), 'Its name in the list', 'A refund that takes long'),
    variables: about(
      defaulting(callVariables(), {}),
      'Template variables, as `metadata` of a dispatch: at most 100 keys and 16 KiB of JSON',
      { name: 'Asha' },
    ),
    turns: about(turns, 'In order'),
  },
  { name: 'KeptConversation', closed: true },
);

const fields = { conversations: listOf(keptConversation, { most: KEPT_LIMITS.conversations }) };

export const keptConversations = object(fields, { name: 'KeptConversations' });
export const replacingConversations = object(fields, { name: 'ReplaceConversations' });
export type KeptConversationsBody = ValueOf<typeof keptConversations>;

/** Of one body: the whole list of what is usual, and few enough that a hostile one delays nobody. */
export const MOST_VALUES = 3_000;
