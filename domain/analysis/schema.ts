/** The form in which a language model is to answer about a call: made from the agent's analysis section, and checked against. */
import {
  dataPointsOf,
  dispositionsOf,
  type DataPoint,
  type DispositionItem,
  type ResolvedSection,
} from '../agent-config';
import { assertNever } from '../assert-never';
import type { JsonObject } from '../json';
import { NOT_ENOUGH_DATA } from './too-short';
import { SENTIMENTS } from './types';

/** What a schema is built of: what servers that generate by schema know all of, and no more. */
export type JsonSchema = JsonObject;

/** Of calls in which somebody spoke: those of the others are derived from facts. */
export const MODEL_OUTCOMES = [
  'callback_requested',
  'interested',
  'not_interested',
  'conversation_completed',
] as const;

/** What the agent's owner wants to know, read once. */
export interface Questions {
  dispositions: readonly DispositionItem[];
  dataPoints: readonly DataPoint[];
  /** What to evaluate; null where no evaluation is wanted. */
  evaluation: string | null;
  /** What counts as a concern; null where none are collected. */
  concerns: string | null;
  /** Whether to find out that the person is not to be called again. */
  doNotCall: boolean;
}

export function questionsOf(config: ResolvedSection<'analysis'>): Questions {
  return {
    dispositions: dispositionsOf(config),
    dataPoints: dataPointsOf(config),
    evaluation: promptIfEnabled(config.evaluations.conversation_evaluation),
    concerns: promptIfEnabled(config.extraction.collect_concerns),
    doNotCall: config.do_not_call,
  };
}

/** The same, each prompt with its template variables filled in. */
export function filledQuestions(questions: Questions, fill: (text: string) => string): Questions {
  const { dispositions, dataPoints, evaluation, concerns, doNotCall } = questions;
  const withPrompt = <Item extends { prompt: string }>(item: Item): Item => ({
    ...item,
    prompt: fill(item.prompt),
  });
  return {
    dispositions: dispositions.map(withPrompt),
    dataPoints: dataPoints.map(withPrompt),
    evaluation: evaluation === null ? null : fill(evaluation),
    concerns: concerns === null ? null : fill(concerns),
    doNotCall,
  };
}

/** Names are the client's and may be anything, so that answers go by number: what a key is called cannot break the schema. */
export const dispositionKey = (index: number): string => `disposition_${index + 1}`;
export const dataPointKey = (index: number): string => `fact_${index + 1}`;

/** All tags that the agent's dispositions have, each once. */
export const allTags = ({ dispositions }: Pick<Questions, 'dispositions'>): string[] => [
  ...new Set(dispositions.flatMap(tagsOf)),
];

/** The only answers that a string disposition can have; none where any text will do. */
export const tagsOf = (item: DispositionItem): string[] =>
  item.type === 'string' ? Object.keys(item.list_of_tags) : [];

/** Strict: every key is required and no other allowed. What is not known is null. */
export function answerSchema(questions: Questions): JsonSchema {
  const { dispositions, dataPoints, evaluation, concerns, doNotCall } = questions;
  const tags = allTags(questions);
  return record({
    summary: described({ type: 'string' }, 'What was said and what came of it, in two or three sentences'),
    sentiment: described({ type: 'string', enum: [...SENTIMENTS] }, "The person's, as it was at the end"),
    outcome: described(
      { type: 'string', enum: [...MODEL_OUTCOMES] },
      'What the conversation came to for the one who called',
    ),
    callback_requested: described(
      { type: 'boolean' },
      'Whether the person asked to be called again, and did not take it back',
    ),
    callback_quote: described(
      orNull('string'),
      "The person's own words that ask for it, copied exactly from the transcript; null where nothing was asked",
    ),
    callback_at: described(
      orNull('string'),
      'When, in local time as 2026-11-23T15:30; with an offset only where the person named another time zone; null where no time was named',
    ),
    ...(doNotCall && {
      do_not_call: described(
        { type: 'boolean' },
        'Whether the person said that they do not want to be called again, and did not take it back',
      ),
    }),
    ...(tags.length > 0 && {
      eval_tag: described(
        oneOf([...tags, NOT_ENOUGH_DATA], true),
        'The tag that says best what came of the call',
      ),
    }),
    ...(dispositions.length > 0 && {
      dispositions: record(keyed(dispositions, dispositionKey, dispositionSchema)),
    }),
    ...(dataPoints.length > 0 && { facts: record(keyed(dataPoints, dataPointKey, dataPointSchema)) }),
    ...(evaluation !== null && { evaluation: evaluationSchema(evaluation) }),
    ...(concerns !== null && {
      concerns: described(
        { type: 'array', items: { type: 'string' } },
        sentence('Each concern of the person, in a few words', concerns),
      ),
    }),
  });
}

const evaluationSchema = (prompt: string): JsonSchema =>
  record({
    score: described(
      { type: 'integer', minimum: 0, maximum: 100 },
      sentence('From 0, as bad as can be, to 100', prompt),
    ),
    explanation: described({ type: 'string' }, 'Why, in one or two sentences'),
  });

function dispositionSchema(item: DispositionItem): JsonSchema {
  const asked = sentence(item.name, item.prompt);
  switch (item.type) {
    case 'bool':
      return described(orNull('boolean'), asked);
    case 'number':
      return described(orNull('number'), asked);
    case 'string': {
      const tags = tagsOf(item);
      if (tags.length === 0) return described(orNull('string'), asked);
      return described(oneOf(tags, true), `${asked} ${meanings(item.list_of_tags)}`);
    }
    default:
      return assertNever(item.type);
  }
}

function dataPointSchema(point: DataPoint): JsonSchema {
  const asked = sentence(point.name, point.prompt);
  const values = answersOf(point);
  const { nullable: mayBeNull } = point;
  if (values.length > 0) return described(oneOf(values, mayBeNull), asked);
  return described(mayBeNull ? orNull('string') : { type: 'string' }, asked);
}

type Scalar = string | number | boolean;

/** The only answers that a data point can have; none where any text will do. Lists and objects are no answers. */
export const answersOf = ({ values }: DataPoint): Scalar[] => [...new Set(values.filter(isScalar))];

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

function oneOf(given: readonly Scalar[], mayBeNull: boolean): JsonSchema {
  // A schema that lists a value twice is none, and a client may have a tag of ours.
  const values = [...new Set(given)];
  const types = new Set<string>(values.map((value) => typeof value));
  if (mayBeNull) types.add('null');
  const [only = 'string', ...others] = types;
  return { type: others.length === 0 ? only : [...types], enum: mayBeNull ? [...values, null] : [...values] };
}

const orNull = (type: string): JsonSchema => ({ type: [type, 'null'] });

const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });

const record = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const keyed = <Item>(
  items: readonly Item[],
  key: (index: number) => string,
  schemaOf: (item: Item) => JsonSchema,
): Record<string, JsonSchema> => Object.fromEntries(items.map((item, index) => [key(index), schemaOf(item)]));

const sentence = (head: string, prompt: string): string => {
  const text = prompt.trim();
  return text === '' ? head : `${head}: ${text}`;
};

const meanings = (tags: JsonObject): string =>
  Object.entries(tags)
    .map(([tag, meaning]) => (typeof meaning === 'string' && meaning !== '' ? `${tag} = ${meaning}` : tag))
    .join('; ');

const promptIfEnabled = ({ enabled, prompt }: { enabled: boolean; prompt: string }): string | null =>
  enabled ? prompt : null;
