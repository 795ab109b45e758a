/** JSON schema for a language model's answer about a call, derived from the agent's analysis section. */
import {
  dataPointsOf,
  dispositionsOf,
  type DataPoint,
  type DispositionItem,
  type ResolvedSection,
} from '../agent-config';
import { assertNever } from '../assert-never';
import type { JsonObject } from '../json';
import { NOT_ENOUGH_DATA } from './wording';
import { SENTIMENTS } from './types';

/** Uses only the parts of JSON Schema that every server with structured output supports. */
export type JsonSchema = JsonObject;

/** Outcomes of calls that had a conversation. Other outcomes are derived from facts. */
export const MODEL_OUTCOMES = [
  'callback_requested',
  'interested',
  'not_interested',
  'conversation_completed',
] as const;

/** The questions from the agent's configuration. */
export interface Questions {
  dispositions: readonly DispositionItem[];
  dataPoints: readonly DataPoint[];
  /** Evaluation prompt. Null if evaluation is disabled. */
  evaluation: string | null;
  /** Describes which statements are concerns. Null if concerns are not collected. */
  concerns: string | null;
  /** Whether to detect opt-outs. */
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

/** Fills template variables into each prompt. */
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

/** Keys are numbered, because names from the configuration could break the schema. */
export const dispositionKey = (index: number): string => `disposition_${index + 1}`;
export const dataPointKey = (index: number): string => `fact_${index + 1}`;

/** Returns the distinct tags of all of the agent's dispositions. */
export const allTags = ({ dispositions }: Pick<Questions, 'dispositions'>): string[] => [
  ...new Set(dispositions.flatMap(tagsOf)),
];

/** Returns the allowed answers of a string disposition. The list is empty if any string is allowed. */
export const tagsOf = (item: DispositionItem): string[] =>
  item.type === 'string' ? Object.keys(item.list_of_tags) : [];

/** Builds a strict schema. Every key is required, no other key is allowed, and unknown values are null. */
export function answerSchema(questions: Questions): JsonSchema {
  const { dispositions, dataPoints, evaluation, concerns, doNotCall } = questions;
  const tags = allTags(questions);
  return record({
    summary: described({ type: 'string' }, 'The conversation and its result, in two or three sentences'),
    sentiment: described({ type: 'string', enum: [...SENTIMENTS] }, "The person's sentiment at the end"),
    outcome: described(
      { type: 'string', enum: [...MODEL_OUTCOMES] },
      "The result of the conversation from the agent's point of view",
    ),
    callback_requested: described(
      { type: 'boolean' },
      'Whether the person asked to be called again, and did not take it back',
    ),
    callback_quote: described(
      orNull('string'),
      "The person's words that request the callback, copied exactly from the transcript; null if none was requested",
    ),
    callback_at: described(
      orNull('string'),
      'Time of the callback in local time, such as 2026-11-23T15:30; with an offset only if the person named another time zone; null if no time was named',
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
        'The tag that best describes the result of the call',
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
      sentence('From 0 (worst) to 100 (best)', prompt),
    ),
    explanation: described({ type: 'string' }, 'The reason for the score, in one or two sentences'),
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

/** Returns the allowed answers of a data point without lists and objects. The list is empty if any string is allowed. */
export const answersOf = ({ values }: DataPoint): Scalar[] => [...new Set(values.filter(isScalar))];

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

function oneOf(given: readonly Scalar[], mayBeNull: boolean): JsonSchema {
  // Values must be unique, and the organization may have configured one of the platform's own tags.
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
