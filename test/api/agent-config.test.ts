import { sectionSchemas, validateAgentConfig, validateModifyAgent } from '../../api/agents/config/validate';
import { inboundNumber, maxTalkSeconds, resolveConfig, SECTION_NAMES } from '../../domain/agent-config';

/** Nests the value: `persona.a.b` becomes a config with that path. */
const at = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
const locOf = (path: string) => ['body', 'config', ...path.split('.')];
const faultsOf = (config: unknown) => {
  const result = validateAgentConfig(config);
  return 'faults' in result ? result.faults : [];
};

const GREETING = 'persona.identity.greeting_message';
const LLM = 'persona.senses_capabilities.brain.llm';
const IDLE = 'experience.settings.idle_conversation_settings';
const CALL = 'experience.settings.call_settings';
const TALK = 'experience.conversational_experience';

describe('the range of a field', () => {
  test.each([
    [`${GREETING}.agent_speech_delay`, 0, 60, 1],
    [`${GREETING}.user_speech_delay`, 0, 60, 1],
    [`${LLM}.primary.parameters.temperature`, 0, 1, 0.01],
    [`${LLM}.fallback.parameters.top_p`, 0, 1, 0.01],
    [`${LLM}.primary.parameters.max_tokens`, 50, 10_000, 1],
    [`${TALK}.bg_noise.volume`, 0, 1, 0.01],
    [`${TALK}.filler_words.filler_words_frequency`, 0, 1, 0.01],
    [`${IDLE}.idle_call_hangup_timeout`, 5, 60, 1],
    [`${IDLE}.idle_call_warning_timeout`, 5, 60, 1],
    [`${CALL}.max_call_duration`, 1, 60, 1],
  ])('accepts %s from %d to %d inclusive', (path, min, max, step) => {
    expect([min, max].flatMap((value) => faultsOf(at(path, value)))).toEqual([]);
    expect(faultsOf(at(path, min - step))).toMatchObject([{ loc: locOf(path), type: 'number.min' }]);
    expect(faultsOf(at(path, max + step))).toMatchObject([{ loc: locOf(path), type: 'number.max' }]);
  });
});

describe('the JSON type of a field', () => {
  test.each([
    ['a digit string is not an integer', `${CALL}.max_call_duration`, '5', 'number.base'],
    ['a fraction is not an integer', `${CALL}.max_call_duration`, 5.5, 'number.integer'],
    ['a word is not a boolean', `${CALL}.max_duration_enabled`, 'true', 'boolean.base'],
    ['a number is not a boolean', `${GREETING}.interruptible`, 1, 'boolean.base'],
    ['a number is not a string', 'persona.identity.system_prompt', 5, 'string.base'],
    ['an array is not an object', 'persona.metadata', [], 'object.base'],
    ['JSON in a string is not an object', 'persona.metadata', '{}', 'object.base'],
    ['an object is not an array', `${TALK}.filler_words.filler_words_list`, {}, 'array.base'],
    ['a section is an object', 'training', 'x', 'object.base'],
    ['eagerness is one of three words', `${TALK}.eagerness_to_speak`, 'eager', 'any.only'],
    ['the action on a machine is one of two words', `${CALL}.action`, 'wait', 'any.only'],
    ['an inbound number is E.164', 'deployment.phone.call_type.Inbound', '9876543210', 'string.pattern.base'],
  ])('rejects a value of the wrong type: %s', (_fact, path, value, type) => {
    expect(faultsOf(at(path, value))).toMatchObject([{ loc: locOf(path), type }]);
  });

  test('reports the index of an invalid list item', () => {
    const path = 'deployment.phone.call_type.Outbound';
    expect(faultsOf(at(path, ['+919876543210', '98']))).toEqual([
      {
        loc: [...locOf(path), 1],
        msg: 'must be an E.164 number, such as +919876543210',
        type: 'string.pattern.base',
      },
    ]);
  });
});

describe('an analysis item', () => {
  const DISPOSITIONS = 'analysis.evaluations.dispositions.prompt_based';
  const POINTS = 'analysis.extraction.data_collection.data_points';
  const item = { name: 'n'.repeat(30), type: 'bool', prompt: 'p' };

  test('accepts a name of 30 characters', () => {
    expect(faultsOf(at(DISPOSITIONS, [item]))).toEqual([]);
    expect(faultsOf(at(POINTS, [{ ...item, values: ['a', 1], nullable: true }]))).toEqual([]);
  });

  test.each([
    [
      'a disposition name of 31 characters',
      DISPOSITIONS,
      { ...item, name: 'n'.repeat(31) },
      'name',
      'string.max',
    ],
    ['a data point name of 31 characters', POINTS, { ...item, name: 'n'.repeat(31) }, 'name', 'string.max'],
    ['an empty name', POINTS, { ...item, name: '' }, 'name', 'string.empty'],
    ['a name that reaches the prototype', POINTS, { ...item, name: '__proto__' }, 'name', 'any.invalid'],
    ['a missing name', POINTS, { prompt: 'p' }, 'name', 'any.required'],
    ['a missing prompt', POINTS, { name: 'n' }, 'prompt', 'any.required'],
    ['a missing type', DISPOSITIONS, { name: 'n', prompt: 'p' }, 'type', 'any.required'],
    ['an unknown type', DISPOSITIONS, { ...item, type: 'date' }, 'type', 'any.only'],
    ['a null type', DISPOSITIONS, { ...item, type: null }, 'type', 'any.only'],
  ])('rejects %s', (_what, path, entry, key, type) => {
    expect(faultsOf(at(path, [entry]))).toMatchObject([{ loc: [...locOf(path), 0, key], type }]);
  });
});

describe('a stored configuration', () => {
  test('keeps unknown keys at every level unchanged', () => {
    const config = {
      persona: { extra: { deep: [1, null] }, identity: { tone: 'warm' } },
      training: { know_how: { guardrails: { level: 'unheard of' } } },
    };
    expect(validateAgentConfig(config)).toEqual({ value: config });
  });

  test.each([
    'persona.identity',
    `${GREETING}.agent_message`,
    `${CALL}.max_call_duration`,
    `${CALL}.action`,
    `${CALL}.enable_voicemail_detection`,
    'analysis.extraction.data_collection.data_points',
    'deployment.phone.call_type.Inbound',
    'deployment.phone.call_type.Outbound',
  ])('accepts and keeps null at %s', (path) => {
    expect(validateAgentConfig(at(path, null))).toEqual({ value: at(path, null) });
  });

  test('treats an absent config and null sections as empty', () => {
    expect(validateAgentConfig(undefined)).toEqual({ value: {} });
    expect(validateAgentConfig({ persona: null })).toEqual({ value: {} });
  });

  test('stores deployment without its wrapping key', () => {
    const deployment = { phone: { call_type: { Inbound: '', Outbound: [] } } };
    expect(validateAgentConfig({ deployment })).toEqual({ value: { deployment } });
    expect(validateAgentConfig({ deployment: { deployment } })).toEqual({ value: { deployment } });
  });

  test('reports a fault in a wrapped deployment by its path in the request', () => {
    const path = 'deployment.deployment.phone.call_type.Inbound';
    expect(faultsOf(at(path, 'x'))).toMatchObject([{ loc: locOf(path) }]);
  });
});

describe('an invalid configuration', () => {
  test.each([
    ['an unknown section', { voice: {} }, ['body', 'config', 'voice'], 'object.unknown'],
    ['a config that is not an object', [], ['body', 'config'], 'object.base'],
    [
      'a forbidden key',
      JSON.parse('{"persona":{"x":{"__proto__":{}}}}'),
      ['body', 'config', 'persona', 'x', '__proto__'],
      'forbidden_key',
    ],
    ['a NUL in a text', { persona: { x: 'a\0' } }, ['body', 'config', 'persona', 'x'], 'unstorable_text'],
    [
      'half a surrogate pair',
      { persona: { x: '\ud800' } },
      ['body', 'config', 'persona', 'x'],
      'unstorable_text',
    ],
  ])('reports the path of %s', (_what, config: unknown, loc, type) => {
    expect(faultsOf(config)).toMatchObject([{ loc, type }]);
  });

  test('reports a single fault for nesting beyond 32 levels, at any depth', () => {
    const deep: unknown = JSON.parse(`{"persona":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`);
    expect(faultsOf(deep)).toMatchObject([{ type: 'too_deep' }]);
  });

  test('reports the faults of all sections', () => {
    const two = { experience: { settings: { call_settings: { max_call_duration: 0 } } }, training: 1 };
    expect(faultsOf(two)).toHaveLength(2);
  });
});

test('accepts every section except deployment in modify_agent, and reports faults below that path', () => {
  expect(validateModifyAgent(null)).toEqual({ value: {} });
  expect(validateModifyAgent({ persona: { metadata: { a: 1 } } })).toEqual({
    value: { persona: { metadata: { a: 1 } } },
  });
  expect(validateModifyAgent({ deployment: {} })).toMatchObject({
    faults: [{ loc: ['body', 'modify_agent', 'deployment'] }],
  });
});

test('gives each section a schema with a name and a description', () => {
  for (const name of SECTION_NAMES) {
    const { flags, metas } = sectionSchemas[name].describe();
    expect([flags, metas]).toEqual([
      expect.objectContaining({ description: expect.any(String) }),
      [{ name: expect.any(String) }],
    ]);
  }
});

test('sets no maximum for end_call.hangup_timeout, because the interface names none', () => {
  const path = 'experience.settings.end_call.hangup_timeout';
  expect([0, 60, 61, 86_400].flatMap((value) => faultsOf(at(path, value)))).toEqual([]);
  expect(faultsOf(at(path, -1))).toMatchObject([{ loc: locOf(path), type: 'number.min' }]);
});

describe('maxTalkSeconds()', () => {
  test.each([
    ['ten minutes unless set', {}, 600],
    ['the minutes that are set', { max_call_duration: 3 }, 180],
    [
      'the minutes that are set while the limit is enabled',
      { max_call_duration: 3, max_duration_enabled: true },
      180,
    ],
    ['an hour when the limit is switched off', { max_call_duration: 3, max_duration_enabled: false }, 3_600],
    ['an hour at most', { max_call_duration: 600 }, 3_600],
    ['ten minutes when the limit is null', { max_call_duration: null }, 600],
  ])('limits the talk time to %s', (_fact, call_settings, seconds) => {
    expect(maxTalkSeconds(resolveConfig({ experience: { settings: { call_settings } } }))).toBe(seconds);
  });
});

test.each([
  [undefined, null],
  [{ phone: null }, null],
  [{ phone: { call_type: { Inbound: '' } } }, null],
  [{ phone: { call_type: { Inbound: '+911123456789' } } }, '+911123456789'],
])('maps the deployment %j to the inbound number %s', (deployment, number) => {
  expect(inboundNumber({ deployment })).toBe(number);
});
