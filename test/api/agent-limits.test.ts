import type Joi from 'joi';
import { sectionSchemas, validateAgentConfig, validateSection } from '../../api/agents/config/validate';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { reviseSection } from '../../api/agents/revise-section';
import { MAX_FAULTS, reportedFaults } from '../../api/http/errors/api-error';
import { SECTION_NAMES, type SectionName } from '../../domain/agent-config';
import type { JsonObject } from '../../domain/json';

const at = (path: string, value: unknown): JsonObject =>
  path.split('.').reduceRight((inner: unknown, key) => ({ [key]: inner }), value) as JsonObject;
const keyed = (count: number, value: unknown = 'v', prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_none, index) => [`${prefix}${index}`, value]));
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const faultsOf = (config: unknown) => {
  const result = validateAgentConfig(config);
  return 'faults' in result ? result.faults : [];
};

const RULES = 'training.know_how.guardrails.custom_rules';
const FACTS = 'analysis.extraction.data_collection.data_points';
const DISPOSITIONS = 'analysis.evaluations.dispositions.prompt_based';
const OUTBOUND = 'deployment.phone.call_type.Outbound';
const FACT = { name: 'a', prompt: 'b' };

test.each([
  ['5,000 questions and answers', at('training.know_how.faq', keyed(5_000, 'a'.repeat(100), 'Question '))],
  ['a prompt of 100 KB', at('persona.identity.system_prompt', 'x'.repeat(100 * 1024))],
  ['a prompt of 100 KB in Devanagari', at('persona.identity.system_prompt', 'न'.repeat(100 * 1024))],
  [
    'a million characters of knowledge',
    at('training.knowledge.rag_knowledge_base_dict.a', 'x'.repeat(1_000_000)),
  ],
  ['1,000 numbers', at(OUTBOUND, times(1_000, '+919876543210'))],
  ['200 facts', at(FACTS, times(200, FACT))],
])('accepts a realistic configuration, which stays below every maximum: %s', (_what, config) => {
  expect(faultsOf(config)).toEqual([]);
});

describe('a list, map or text beyond its maximum', () => {
  test.each<[path: string, max: unknown, tooMuch: unknown, type: string]>([
    ['training.know_how.faq', keyed(6_000), keyed(6_001), 'object.max'],
    ['training.know_how.pain_points', keyed(1_000), keyed(1_001), 'object.max'],
    [`${RULES}.0.triggers`, times(500, 'x'), times(501, 'x'), 'array.max'],
    [`${RULES}.0.response`, 'x'.repeat(20_000), 'x'.repeat(20_001), 'string.max'],
    [RULES, times(500, {}), times(501, {}), 'array.max'],
    [FACTS, times(500, FACT), times(501, FACT), 'array.max'],
    [`${DISPOSITIONS}.0.list_of_tags`, keyed(500), keyed(501), 'object.max'],
    [OUTBOUND, times(2_000, '+919876543210'), times(2_001, '+919876543210'), 'array.max'],
    ['persona.metadata', keyed(1_000), keyed(1_001), 'object.max'],
    ['persona.actions', keyed(200, {}), keyed(201, {}), 'object.max'],
    ['persona.identity.system_prompt', '🙏'.repeat(200_000), '🙏'.repeat(200_001), 'string.max'],
    ['persona.own', times(6_000, 0), times(6_001, 0), 'array.max'],
    ['persona.own', keyed(6_000), keyed(6_001), 'object.max'],
    ['persona.own.deep', keyed(6_000), keyed(6_001), 'object.max'],
    ['experience', keyed(6_000), keyed(6_001), 'object.max'],
    [
      'experience.conversational_experience.filler_words.filler_words_list',
      times(1_000, 'x'),
      times(1_001, 'x'),
      'array.max',
    ],
  ])('rejects %s with one fault at its path', (path, max, tooMuch, type) => {
    const [head = '', tail] = path.split('.0.');
    const whole = (value: unknown) =>
      at(head, tail === undefined ? value : [{ name: 'a', type: 'string', prompt: 'p', [tail]: value }]);
    expect(faultsOf(whole(max))).toEqual([]);
    const loc = ['body', 'config', ...head.split('.'), ...(tail === undefined ? [] : [0, tail])];
    expect(faultsOf(whole(tooMuch))).toEqual([
      {
        loc,
        msg: expect.stringMatching(/^must (have|be) at most [\d]+ (entries|keys|characters long)$/),
        type,
      },
    ]);
  });

  test('rejects a key of more than 1,000 characters without repeating it in the fault', () => {
    expect(faultsOf(at('persona.own', { ['k'.repeat(1_000)]: 1 }))).toEqual([]);
    const [fault] = faultsOf(at('persona.own', { ['k'.repeat(1_001)]: 1 }));
    expect(fault).toMatchObject({ loc: ['body', 'config', 'persona', 'own'], type: 'key.max' });
    const [section] = faultsOf({ ['s'.repeat(100_000)]: {} });
    expect(JSON.stringify(section).length).toBeLessThan(1_500);
  });

  test('rejects more than 500 secrets', () => {
    const actions = (headers: number) =>
      at('persona.actions', { ask: { headers: keyed(headers, 'x', 'token-') } });
    expect(faultsOf(actions(MAXIMA.secrets))).toEqual([]);
    expect(faultsOf(actions(MAXIMA.secrets + 1))).toMatchObject([{ type: 'config.too_large' }]);
  });

  test('rejects a deployment section of more than 64 KiB, because agent lists repeat it', () => {
    expect(faultsOf(at('deployment.note', 'x'.repeat(65_000)))).toEqual([]);
    expect(faultsOf(at('deployment.note', 'x'.repeat(66_000)))).toMatchObject([{ type: 'config.too_large' }]);
  });
});

describe('a merge', () => {
  const merged = (config: JsonObject, section: SectionName, change: JsonObject) =>
    reviseSection({ config }, { section, change });

  test('rejects a merge that would exceed the maximum of a map', () => {
    const stored = at('training.know_how.faq', keyed(MAXIMA.entries));
    expect(merged(stored, 'training', at('know_how.faq', { k0: 'other' }))).toMatchObject({ revision: {} });
    expect(merged(stored, 'training', at('know_how.faq', { another: 'a' }))).toEqual({
      refusal: { place: ['know_how', 'faq'], msg: 'must have at most 6000 keys', type: 'object.max' },
    });
  });

  test('rejects a merge that would exceed the maximum number of values in all sections together', () => {
    const stored = {
      ...at('persona.a', times(6_000, 0)),
      ...at('analysis.a', times(6_000, 0)),
      ...at('training.a', times(6_000, 0)),
    };
    expect(merged(stored, 'experience', { a: times(1_900, 0) })).toMatchObject({ revision: {} });
    expect(merged(stored, 'experience', { a: times(2_000, 0) })).toMatchObject({
      refusal: { type: 'config.too_large' },
    });
  });

  test('rejects a merge that would exceed the maximum number of secrets', () => {
    const headers = (from: number, count: number) =>
      at(
        'actions.ask.headers',
        Object.fromEntries(Array.from({ length: count }, (_none, i) => [`token-${from + i}`, 'x'])),
      );
    const stored = { persona: headers(0, MAXIMA.secrets) };
    expect(merged(stored, 'persona', headers(0, 1))).toEqual({ revision: null });
    expect(merged(stored, 'persona', headers(MAXIMA.secrets, 1))).toMatchObject({
      refusal: { type: 'config.too_large' },
    });
  });
});

describe('the faults of a configuration', () => {
  test('reports at most 20 faults, the last of which says that there are more', () => {
    const result = validateSection({
      name: 'deployment',
      section: { phone: { call_type: { Outbound: times(2_000, 'x') } } },
      loc: ['body'],
    });
    const reported = reportedFaults('faults' in result ? result.faults : []);
    expect(reported).toHaveLength(MAX_FAULTS);
    expect(reported.at(0)).toMatchObject({ loc: ['body', 'phone', 'call_type', 'Outbound', 0] });
    expect(reported.at(-1)).toEqual({
      loc: ['body'],
      msg: 'has more errors; only the first 19 are listed',
      type: 'faults.more',
    });
  });

  test('reports each invalid place once, at any depth', () => {
    const config = {
      ...at(RULES, [{}, { triggers: ['x', 1, 'y', 2] }, { name: 1 }, {}, 5]),
      ...at('experience.settings.call_settings', { max_call_duration: 90.5, action: 'wait' }),
    };
    const places = faultsOf(config).map(({ loc }) => loc.slice(2).join('.'));
    expect(places).toEqual([
      `${RULES}.1.triggers.1`,
      `${RULES}.1.triggers.3`,
      `${RULES}.2.name`,
      `${RULES}.4`,
      'experience.settings.call_settings.max_call_duration',
      'experience.settings.call_settings.action',
    ]);
  });
});

describe('the validation work of a body', () => {
  /** Counts the values that are passed to joi. The limits are checked before that. */
  function counted(work: () => void): number {
    let values = 0;
    const spies = SECTION_NAMES.map((name) => {
      const schema: Joi.Schema = sectionSchemas[name];
      return jest.spyOn(schema, 'validate').mockImplementation(() => {
        values += 1;
        return { value: undefined, error: undefined };
      });
    });
    work();
    for (const spy of spies) spy.mockRestore();
    return values;
  }

  test.each([
    ['a list', at(OUTBOUND, times(200_000, 'x'))],
    ['a map', at('persona.metadata', keyed(60_000))],
    ['an unknown list', at('analysis.own', times(60_000, {}))],
    ['depth', at('training.own', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`))],
  ])('skips joi when %s exceeds its maximum', (_what, config) => {
    expect(counted(() => expect(faultsOf(config)).toHaveLength(1))).toBe(0);
  });

  test('runs joi once for a valid section', () => {
    expect(counted(() => expect(faultsOf(at(FACTS, [FACT]))).toEqual([]))).toBe(1);
  });

  test('reads a section of maximum size at most twice, even when its last entry is invalid', () => {
    let seen = 0;
    const triggers = Array.from({ length: 30 }, () => {
      const list: unknown[] = times(500, 'x');
      return {
        triggers: new Proxy(list, {
          get: (target, key) => ((seen += /^\d+$/.test(String(key)) ? 1 : 0), Reflect.get(target, key)),
        }),
      };
    });
    const section = at('know_how.guardrails.custom_rules', [...triggers, { triggers: [1] }]);
    const result = validateSection({ name: 'training', section, loc: ['body'] });
    expect(result).toMatchObject({
      faults: [{ loc: ['body', 'know_how', 'guardrails', 'custom_rules', 30, 'triggers', 0] }],
    });
    expect(seen).toBeGreaterThanOrEqual(2 * 30 * 500);
    // The limits and joi each read the list once, and joi also copies it.
    expect(seen).toBeLessThanOrEqual(3 * 30 * 500);
  });
});
