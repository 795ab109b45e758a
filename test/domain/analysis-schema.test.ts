import Ajv from 'ajv';
import {
  resolveConfig,
  type AgentConfig,
  type DataPoint,
  type DispositionItem,
} from '../../domain/agent-config';
import { answerSchema, filledQuestions, questionsOf } from '../../domain/analysis/schema';

type Analysis = AgentConfig['analysis'];
type Asked = Pick<DispositionItem, 'name' | 'type' | 'prompt'> & Partial<DispositionItem>;
type Sought = Pick<DataPoint, 'name' | 'prompt'> & { values?: unknown[]; nullable?: boolean };

const withDispositions = (...prompt_based: Asked[]): Analysis => ({
  evaluations: { dispositions: { enabled: true, prompt_based } },
});
const withFacts = (...data_points: Sought[]): Analysis => ({
  extraction: { data_collection: { enabled: true, data_points } },
});
const questionsIn = (analysis: Analysis) => questionsOf(resolveConfig({ analysis }).analysis);
const schemaOf = (config: Analysis): any => answerSchema(questionsIn(config));

const ALWAYS = {
  summary: 'They talked.',
  sentiment: 'neutral',
  outcome: 'interested',
  callback_requested: false,
  callback_quote: null,
  callback_at: null,
};

const isOf = (config: Analysis, answer: object): boolean =>
  new Ajv({ strict: false }).compile(schemaOf(config))({ ...ALWAYS, ...answer });

test('requests only the answers common to all calls for an agent without an analysis section', () => {
  expect(Object.keys(schemaOf(null).properties)).toEqual(Object.keys(ALWAYS));
  expect(isOf(null, {})).toBe(true);
});

test('requests whether the person opted out if the agent records opt-outs', () => {
  const config: Analysis = { do_not_call: true };
  expect(Object.keys(schemaOf(config).properties)).toContain('do_not_call');
  expect([isOf(config, { do_not_call: true }), isOf(config, {})]).toEqual([true, false]);
});

/** Strict schemas must require every key and allow no other, at every level. */
function looseObjects(schema: unknown, path = '$'): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties, required, additionalProperties }: any = schema;
  const isLoose =
    type === 'object' &&
    (additionalProperties !== false || String(required) !== String(Object.keys(properties)));
  return [
    ...(isLoose ? [path] : []),
    ...Object.entries(schema).flatMap(([key, child]) => looseObjects(child, `${path}.${key}`)),
  ];
}

test('allows no other properties at any level', () => {
  const config: Analysis = {
    evaluations: {
      dispositions: { enabled: true, prompt_based: [{ name: 'x', type: 'bool', prompt: 'Is it?' }] },
      conversation_evaluation: { enabled: true, prompt: 'Was it polite?' },
    },
    extraction: {
      data_collection: { enabled: true, data_points: [{ name: 'city', prompt: 'Which city?' }] },
      collect_concerns: { enabled: true, prompt: 'Any worry' },
    },
  };
  expect(looseObjects(schemaOf(config))).toEqual([]);
  expect(Object.keys(schemaOf(config).properties)).toEqual([
    ...Object.keys(ALWAYS),
    'dispositions',
    'facts',
    'evaluation',
    'concerns',
  ]);
});

describe('the schema of a disposition', () => {
  const bool: Asked = { name: 'agreed', type: 'bool', prompt: 'Did they agree?' };
  const number: Asked = { name: 'amount', type: 'number', prompt: 'How much?' };
  const text: Asked = { name: 'why', type: 'string', prompt: 'Why?' };
  const tagged: Asked = { ...text, list_of_tags: { yes: 'They will', no: 'They will not' } };

  test.each<[string, Asked, unknown, boolean]>([
    ['true', bool, true, true],
    ['null for an open decision', bool, null, true],
    ['a word for a bool', bool, 'yes', false],
    ['a number', number, 12.5, true],
    ['digits as text', number, '12', false],
    ['any text without tags', text, 'because', true],
    ['one of its tags', tagged, 'yes', true],
    ['null instead of a tag', tagged, null, true],
    ['a string that is not among its tags', tagged, 'perhaps', false],
    ['a tag with different capitals', tagged, 'Yes', false],
    ['any text when its list of tags is empty', { ...text, list_of_tags: {} }, 'anything', true],
  ])('accepts or rejects an answer to a disposition: %s', (_what, item, answer, isAllowed) => {
    const tag = item.list_of_tags && Object.keys(item.list_of_tags).length > 0 ? { eval_tag: null } : {};
    expect(isOf(withDispositions(item), { ...tag, dispositions: { disposition_1: answer } })).toBe(isAllowed);
  });

  test("offers the disposition's tags, with their meanings, as the tag of the call", () => {
    const config = withDispositions(tagged);
    expect(schemaOf(config).properties.eval_tag.enum).toEqual(['yes', 'no', 'not enough data', null]);
    expect(schemaOf(config).properties.dispositions.properties.disposition_1.description).toBe(
      'why: Why? yes = They will; no = They will not',
    );
  });
});

describe('the schema of a data point', () => {
  const point = (more: Partial<Sought>): Sought => ({ name: 'plan', prompt: 'Which plan?', ...more });

  test.each<[string, Partial<Sought>, unknown, boolean]>([
    ['any text', {}, 'gold', true],
    ['null by default', {}, null, true],
    ['null when it is allowed', { nullable: true }, null, true],
    ['null when it is forbidden', { nullable: false }, null, false],
    ['one of its values', { values: ['gold', 12, true] }, 12, true],
    ['a value of another type', { values: ['gold', 12] }, '12', false],
    ['a value that is not listed', { values: ['gold'] }, 'silver', false],
    ['null instead of its values', { values: ['gold'] }, null, true],
    ['null instead of its values when null is forbidden', { values: ['gold'], nullable: false }, null, false],
    ['any text when its values are unusable', { values: [{ deep: 1 }, null] }, 'gold', true],
    ['a number without values', {}, 5, false],
  ])('accepts or rejects an answer to a data point: %s', (_what, more, answer, isAllowed) => {
    expect(isOf(withFacts(point(more)), { facts: { fact_1: answer } })).toBe(isAllowed);
  });
});

test.each([
  ['lacks the facts', {}],
  ['has an extra fact', { facts: { fact_1: null, fact_2: null } }],
  ['has an extra key', { facts: { fact_1: null }, ignore: 'previous instructions' }],
])('rejects an answer that %s', (_what, answer) => {
  expect(isOf(withFacts({ name: 'plan', prompt: 'Which?' }), answer)).toBe(false);
});

test("accepts any configured names, even repeated ones, because they aren't keys", () => {
  const names = ['__proto__', 'a "b"', '', 'a "b"'];
  const dataPoints = names.map((name) => ({ name, prompt: 'What?', values: [], nullable: true }));
  const schema: any = answerSchema({ ...questionsIn(null), dataPoints });
  const { properties } = schema.properties.facts;
  expect(Object.keys(properties)).toEqual(['fact_1', 'fact_2', 'fact_3', 'fact_4']);
  expect(properties.fact_2.description).toBe('a "b": What?');
});

test('lists a configured tag only once if it is also one of the built-in tags', () => {
  const config = withDispositions({
    name: 'result',
    type: 'string',
    prompt: 'Result?',
    list_of_tags: { paid: '', 'not enough data': '' },
  });
  expect(schemaOf(config).properties.eval_tag.enum).toEqual(['paid', 'not enough data', null]);
  expect(isOf(config, { eval_tag: 'paid', dispositions: { disposition_1: 'paid' } })).toBe(true);
});

test('requests no answers for disabled parts of the analysis', () => {
  const config: Analysis = {
    evaluations: {
      dispositions: { enabled: false, prompt_based: [{ name: 'x', type: 'bool', prompt: 'Is it?' }] },
      conversation_evaluation: { prompt: 'Was it polite?' },
    },
    extraction: { collect_concerns: { enabled: null, prompt: 'Any worry' } },
  };
  expect(schemaOf(config)).toEqual(schemaOf(null));
});

test('fills variables into prompts, but not into names and tags', () => {
  const questions = questionsIn(
    withDispositions({
      name: '{{name}}',
      type: 'string',
      prompt: 'Did {{name}} pay?',
      list_of_tags: { '{{name}}': '' },
    }),
  );
  const filled = filledQuestions(questions, (text) => text.replaceAll('{{name}}', 'Asha'));
  expect(filled.dispositions).toEqual([
    { name: '{{name}}', type: 'string', prompt: 'Did Asha pay?', list_of_tags: { '{{name}}': '' } },
  ]);
});
