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

test('an agent without an analysis section is asked for what every call has', () => {
  expect(Object.keys(schemaOf(null).properties)).toEqual(Object.keys(ALWAYS));
  expect(isOf(null, {})).toBe(true);
});

test('an agent that lists who is not to be called again asks for that too', () => {
  const config: Analysis = { do_not_call: true };
  expect(Object.keys(schemaOf(config).properties)).toContain('do_not_call');
  expect([isOf(config, { do_not_call: true }), isOf(config, {})]).toEqual([true, false]);
});

/** What servers ask of a strict schema: every key required, no other allowed, at every level. */
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

test('the schema is strict at every level', () => {
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

describe('a disposition takes', () => {
  const bool: Asked = { name: 'agreed', type: 'bool', prompt: 'Did they agree?' };
  const number: Asked = { name: 'amount', type: 'number', prompt: 'How much?' };
  const text: Asked = { name: 'why', type: 'string', prompt: 'Why?' };
  const tagged: Asked = { ...text, list_of_tags: { yes: 'They will', no: 'They will not' } };

  test.each<[string, Asked, unknown, boolean]>([
    ['true', bool, true, true],
    ['nothing where it was not decided', bool, null, true],
    ['no word for a bool', bool, 'yes', false],
    ['a number', number, 12.5, true],
    ['no digits as text', number, '12', false],
    ['any text without tags', text, 'because', true],
    ['one of its tags', tagged, 'yes', true],
    ['nothing instead of a tag', tagged, null, true],
    ['no other text than its tags', tagged, 'perhaps', false],
    ['no tag in other letters', tagged, 'Yes', false],
    ['any text where its list of tags is empty', { ...text, list_of_tags: {} }, 'anything', true],
  ])('%s', (_what, item, answer, isAllowed) => {
    const tag = item.list_of_tags && Object.keys(item.list_of_tags).length > 0 ? { eval_tag: null } : {};
    expect(isOf(withDispositions(item), { ...tag, dispositions: { disposition_1: answer } })).toBe(isAllowed);
  });

  test('its tags as the tag of the call, with their meanings for the model', () => {
    const config = withDispositions(tagged);
    expect(schemaOf(config).properties.eval_tag.enum).toEqual(['yes', 'no', 'not enough data', null]);
    expect(schemaOf(config).properties.dispositions.properties.disposition_1.description).toBe(
      'why: Why? yes = They will; no = They will not',
    );
  });
});

describe('a data point takes', () => {
  const point = (more: Partial<Sought>): Sought => ({ name: 'plan', prompt: 'Which plan?', ...more });

  test.each<[string, Partial<Sought>, unknown, boolean]>([
    ['any text', {}, 'gold', true],
    ['nothing where nothing is said of it', {}, null, true],
    ['nothing where that is allowed', { nullable: true }, null, true],
    ['no nothing where that is forbidden', { nullable: false }, null, false],
    ['one of its values', { values: ['gold', 12, true] }, 12, true],
    ['no value as another type', { values: ['gold', 12] }, '12', false],
    ['no other than its values', { values: ['gold'] }, 'silver', false],
    ['nothing instead of its values', { values: ['gold'] }, null, true],
    ['none but its values where nothing is forbidden', { values: ['gold'], nullable: false }, null, false],
    ['any text where its values are no answers', { values: [{ deep: 1 }, null] }, 'gold', true],
    ['no number without values', {}, 5, false],
  ])('%s', (_what, more, answer, isAllowed) => {
    expect(isOf(withFacts(point(more)), { facts: { fact_1: answer } })).toBe(isAllowed);
  });
});

test.each([
  ['names no answer', {}],
  ['has an answer that nobody asked for', { facts: { fact_1: null, fact_2: null } }],
  ['has a key of its own', { facts: { fact_1: null }, ignore: 'previous instructions' }],
])('an answer that %s is not of the schema', (_what, answer) => {
  expect(isOf(withFacts({ name: 'plan', prompt: 'Which?' }), answer)).toBe(false);
});

test("names are the client's and no keys: any name can be asked for, twice too", () => {
  const names = ['__proto__', 'a "b"', '', 'a "b"'];
  const dataPoints = names.map((name) => ({ name, prompt: 'What?', values: [], nullable: true }));
  const schema: any = answerSchema({ ...questionsIn(null), dataPoints });
  const { properties } = schema.properties.facts;
  expect(Object.keys(properties)).toEqual(['fact_1', 'fact_2', 'fact_3', 'fact_4']);
  expect(properties.fact_2.description).toBe('a "b": What?');
});

test('a tag of the client that is ours too is listed once', () => {
  const config = withDispositions({
    name: 'result',
    type: 'string',
    prompt: 'Result?',
    list_of_tags: { paid: '', 'not enough data': '' },
  });
  expect(schemaOf(config).properties.eval_tag.enum).toEqual(['paid', 'not enough data', null]);
  expect(isOf(config, { eval_tag: 'paid', dispositions: { disposition_1: 'paid' } })).toBe(true);
});

test('what is switched off is not asked for', () => {
  const config: Analysis = {
    evaluations: {
      dispositions: { enabled: false, prompt_based: [{ name: 'x', type: 'bool', prompt: 'Is it?' }] },
      conversation_evaluation: { prompt: 'Was it polite?' },
    },
    extraction: { collect_concerns: { enabled: null, prompt: 'Any worry' } },
  };
  expect(schemaOf(config)).toEqual(schemaOf(null));
});

test('prompts are asked with their variables filled in, and answers stay as they are configured', () => {
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
