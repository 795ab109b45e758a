import { resolveConfig } from '../../domain/agent-config';
import { effectiveConfig, mergedConfig, templateVariables, deepMerge } from '../../domain/effective-config';
import { isJsonObject, type JsonObject } from '../../domain/json';

const stored = {
  persona: {
    identity: { system_prompt: 'Sell.', greeting_message: { agent_message: 'Hello.' } },
    metadata: { city: 'Pune' },
  },
  deployment: { phone: { call_type: { Outbound: ['+911111111111', '+912222222222'] } } },
};

test("returns the agent's stored version for a call without changes", () => {
  expect(mergedConfig(stored, null)).toBe(stored);
  expect(mergedConfig(stored, {})).toEqual(stored);
});

test('merges the changes of a call key by key, without changing the stored version', () => {
  const before = structuredClone(stored);
  const changed = mergedConfig(stored, {
    persona: { identity: { system_prompt: 'Listen.' } },
    deployment: { phone: { call_type: { Outbound: ['+913333333333'] } } },
  });
  expect(changed).toEqual({
    persona: {
      identity: { system_prompt: 'Listen.', greeting_message: { agent_message: 'Hello.' } },
      metadata: { city: 'Pune' },
    },
    deployment: { phone: { call_type: { Outbound: ['+913333333333'] } } },
  });
  expect(stored).toEqual(before);
});

test("ignores changes that can't be merged safely", () => {
  expect(mergedConfig(stored, JSON.parse('{"persona": {"__proto__": {"polluted": true}}}'))).toBe(stored);
});

test.each([null, 'text', ['list'], 7])(
  'treats a stored version that is not an object (%j) as empty',
  (version) => {
    expect(mergedConfig(version, null)).toEqual({});
    expect(mergedConfig(version, { persona: { metadata: { a: 1 } } })).toEqual({
      persona: { metadata: { a: 1 } },
    });
  },
);

test('resolves the merged configuration', () => {
  const change = { persona: { identity: { system_prompt: ' Listen. ' } } };
  expect(effectiveConfig(stored, change)).toEqual(resolveConfig(mergedConfig(stored, change)));
  expect(effectiveConfig(stored, change).persona.identity.system_prompt).toBe('Listen.');
});

describe('the variables of a call', () => {
  const config = {
    persona: resolveConfig({ persona: { metadata: { city: 'Pune', name: 'Desk' } } }).persona,
  };
  const named = (name: string | null, variables: Record<string, unknown> = {}) =>
    templateVariables(config, { variables, name });

  test("overrides the agent's variables with the call's and with the person's name", () => {
    expect(named('Asha', { city: 'Nashik', name: 'Ravi' })).toEqual({ city: 'Nashik', name: 'Asha' });
  });

  test("takes a missing name from the call's variables, never from the agent's", () => {
    expect(named(null, { name: 'Ravi' })).toEqual({ city: 'Pune', name: 'Ravi' });
    expect(named(null, { name: 7 })).toEqual({ city: 'Pune', name: null });
    expect(named(null)).toEqual({ city: 'Pune', name: null });
  });
});

const parsed = (json: string): JsonObject => {
  const value: unknown = JSON.parse(json);
  if (!isJsonObject(value)) throw new Error('the test wrote no object');
  return value;
};
const nested = (depth: number, open = '{"a":', close = '}'): JsonObject =>
  parsed(`{"a":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`);

test.each([
  ['objects merge key by key', { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
  ['unsent keys stay', { a: 1 }, {}, { a: 1 }],
  ['new keys are added', {}, { a: { b: 1 } }, { a: { b: 1 } }],
  ['arrays replace arrays', { a: [1, 2, 3] }, { a: [9] }, { a: [9] }],
  ['an empty array empties', { a: [1] }, { a: [] }, { a: [] }],
  ['null replaces an object', { a: { b: 1 } }, { a: null }, { a: null }],
  ['an object replaces null', { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['a scalar replaces an object', { a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ['an empty object changes nothing', { a: { b: 1 } }, { a: {} }, { a: { b: 1 } }],
])('merges values correctly: %s', (_fact, stored, change, merged) => {
  expect(deepMerge(stored, change)).toEqual({ merged });
});

test("doesn't modify the merged objects", () => {
  const stored = { a: { b: 1 } };
  const change = { a: { c: 2 } };
  deepMerge(stored, change);
  expect([stored, change]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
});

test.each(['__proto__', 'constructor', 'prototype'])('rejects the key %s at any depth', (key) => {
  const hostile = parsed(`{"a":[{"b":{"${key}":{"polluted":true}}}]}`);
  expect(deepMerge({}, hostile)).toEqual({ fault: `the key a.0.b.${key} is not allowed` });
  expect(deepMerge(hostile, {})).toHaveProperty('fault');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('accepts values that only look like forbidden keys', () => {
  const harmless = { a: 'constructor', b: ['__proto__'], c: null };
  expect(deepMerge({}, harmless)).toEqual({ merged: harmless });
});

test("rejects a forbidden key next to text that can't be stored", () => {
  expect(deepMerge({}, parsed('{"prototype":1,"z":"\\u0000"}'))).toEqual({
    fault: 'the key prototype is not allowed',
  });
});

test('merges 32 levels of nesting and rejects 33', () => {
  expect(deepMerge(nested(32), nested(32))).toEqual({ merged: nested(32) });
  expect(deepMerge({}, nested(33))).toEqual({ fault: 'must be nested at most 32 levels deep' });
});

test.each([
  ['objects', '{"a":', '}'],
  ['arrays', '[', ']'],
])('rejects 100,000 nested %s without a stack overflow', (_kind, open, close) => {
  expect(deepMerge({}, nested(100_000, open, close))).toEqual({
    fault: 'must be nested at most 32 levels deep',
  });
});
