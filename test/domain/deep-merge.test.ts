import { deepMerge, findForbiddenKey } from '../../domain/deep-merge';
import { isJsonObject, type JsonObject } from '../../domain/json';

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
])('%s', (_fact, stored, change, merged) => {
  expect(deepMerge(stored, change)).toEqual({ merged });
});

test('neither input is changed', () => {
  const stored = { a: { b: 1 } };
  const change = { a: { c: 2 } };
  deepMerge(stored, change);
  expect([stored, change]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
});

test.each(['__proto__', 'constructor', 'prototype'])('the key %s is refused at any depth', (key) => {
  const hostile = parsed(`{"a":[{"b":{"${key}":{"polluted":true}}}]}`);
  expect(findForbiddenKey(hostile)).toEqual(['a', 0, 'b', key]);
  expect(deepMerge({}, hostile)).toEqual({ fault: `the key a.0.b.${key} is not allowed` });
  expect(deepMerge(hostile, {})).toHaveProperty('fault');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('harmless values hold no forbidden key', () => {
  expect(findForbiddenKey({ a: 'constructor', b: ['__proto__'], c: null })).toBeNull();
  expect(findForbiddenKey('__proto__')).toBeNull();
});

test('a forbidden key is found behind text that cannot be stored', () => {
  expect(findForbiddenKey(parsed('{"prototype":1,"z":"\\u0000"}'))).toEqual(['prototype']);
});

test('32 levels merge, 33 are a fault', () => {
  expect(deepMerge(nested(32), nested(32))).toEqual({ merged: nested(32) });
  expect(deepMerge({}, nested(33))).toEqual({ fault: 'nesting is limited to 32 levels' });
});

test.each([
  ['objects', '{"a":', '}'],
  ['arrays', '[', ']'],
])('a hundred thousand nested %s are a fault, not an overflow', (_kind, open, close) => {
  expect(deepMerge({}, nested(100_000, open, close))).toEqual({ fault: 'nesting is limited to 32 levels' });
});
