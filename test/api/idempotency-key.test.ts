import { fingerprintOf, idempotencyKey } from '../../api/http/idempotency';
import { check } from '../../api/http/schema/validate';

const hex = (input: unknown, operation = 'dispatch'): string =>
  fingerprintOf(operation, input).toString('hex');

test.each<[string, unknown, unknown]>([
  ['the order of fields', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ['a field that is undefined', { a: 1, b: undefined }, { a: 1 }],
  ['the type of a buffer', Buffer.from('abc'), new Uint8Array([97, 98, 99])],
  ['the offset of bytes in memory', Buffer.from('xabc').subarray(1), Buffer.from('abc')],
  ['how a number is written', JSON.parse('1.0'), JSON.parse('1e0')],
])('ignores %s in the fingerprint of a request', (_title, one, other) => {
  expect(hex(one)).toBe(hex(other));
});

test.each<[string, unknown, unknown]>([
  ['another value', { a: 1 }, { a: 2 }],
  ['another type of the same text', { a: 1 }, { a: '1' }],
  ['null for a field that was absent', { a: null }, {}],
  ['the order of a list', [1, 2], [2, 1]],
  ['a field in another object', { a: { b: 1 }, c: {} }, { a: {}, c: { b: 1 } }],
  ['one byte of a file', { file: Buffer.from('abc') }, { file: Buffer.from('abd') }],
  ['text for a file', { file: Buffer.from('abc') }, { file: 'abc' }],
  ['a field called __proto__', JSON.parse('{"__proto__":{"a":1}}'), {}],
  ['lone surrogates', { a: '\ud800' }, { a: '\ud801' }],
])('changes the fingerprint of a request for %s', (_title, one, other) => {
  expect(hex(one)).not.toBe(hex(other));
});

test('changes the fingerprint of a request for another operation', () => {
  expect(hex({}, 'dispatch')).not.toBe(hex({}, 'campaign create'));
});

test.each([
  ['map', new Map([[1, 2]])],
  ['set', new Set([1])],
  ['bigint', 1n],
  ['function', () => 1],
])('throws for a %s, whose content the fingerprint would ignore', (_kind, value) => {
  expect(() => fingerprintOf('dispatch', { value })).toThrow('has no fingerprint');
});

const read = (header: unknown): unknown => check(idempotencyKey, header, 'header');

test.each(['a', '~!"#', 'x'.repeat(255)])('accepts the key %s unchanged', (key) => {
  expect(read(key)).toEqual({ value: key });
});

test('treats a missing header as no key', () => {
  expect(read(undefined)).toEqual({ value: undefined });
});

test.each([
  ['an empty key', ''],
  ['a key with a space', 'a b'],
  ['two headers, as Node joins them', 'a, b'],
  ['two headers in a list', ['a', 'b']],
  ['a letter beyond ASCII', 'cl\u00e9'],
  ['a control character', 'a\u007f'],
  ['256 characters', 'x'.repeat(256)],
])('reports %s as one fault of the header, without repeating the value', (_title, header) => {
  const faults = [
    { loc: ['header'], msg: expect.not.stringContaining('cl\u00e9'), type: expect.any(String) },
  ];
  expect(read(header)).toEqual({ faults });
});
