import { countJsonValues, lossyNumbers, scanJson } from '../../api/http/input/json-values';

const counted = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + 1 + counted(inner), 0)
    : 0;

test.each([
  '{}',
  '[]',
  '5',
  '""',
  '[ ]',
  '[1]',
  '[[],[]]',
  '[{},{},{}]',
  '{"a":1}',
  '{ "a" : [ 1 , 2 , { "b" : null } ] , "c" : { } }',
  '{"a,b":"[1,2,{","c\\"d,":"\\\\","e":"\\\\\\"],["}',
  '[\n\t1,\r\n [\n]\n]',
  '[true,false,null,-1.5e3,"x"]',
  '{"न":"🙏,[","":{"":""}}',
])('counts the values of JSON text as a parser would: %s', (text) => {
  expect(countJsonValues(text)).toBe(counted(JSON.parse(text)));
});

test('terminates on text that is not JSON', () => {
  for (const text of ['', '"', '"\\', '[', '{"a', ',,,', ']]]', '["a" "b"']) {
    expect(countJsonValues(text)).toBeLessThanOrEqual(text.length);
  }
});

test.each([
  '0',
  '-0',
  '0.0',
  '0e999',
  '1.0',
  '1e2',
  '100.00',
  '1.50E+3',
  '0.1',
  '0.30000000000000004',
  '0.0000001',
  '9007199254740991',
  '-9007199254740991',
  '9007199254740992',
  '123456789012345',
  '1234567890.12345',
  '1e21',
  '12345678901234567000',
  '1.7976931348623157e308',
  '5e-324',
  '0.00000000000000000000000000000000001',
])('accepts the number %s, which keeps its digits', (written) => {
  expect(scanJson(`[${written}]`, 10)).toEqual({ values: 1, losesDigits: false });
  expect(lossyNumbers(`[${written}]`, 10)).toEqual([]);
});

test.each([
  '12345678901234567',
  '-12345678901234567',
  '9007199254740993',
  '1152921504606846976',
  '12345678901234567.0',
  '0.1234567890123456789',
  '1234567890123.12345',
  '0.1000000000000000055511151231257827',
  '1e400',
  '-1e400',
  '1e-400',
  '1'.repeat(1_000),
])('rejects the number %s, which would lose digits', (written) => {
  expect(scanJson(`{"a":${written}}`, 10).losesDigits).toBe(true);
  expect(lossyNumbers(`{"a":${written}}`, 10)).toEqual([['a']]);
});

test('returns the path of each number that would lose digits', () => {
  const big = '12345678901234567';
  const text = `{ "a" : 1, "b\\"c" : [ 0, "${big}", { "d" : ${big} }, [ ], ${big}], "e":{"f":{}},"g" : ${big} }`;
  expect(lossyNumbers(text, 10)).toEqual([['b"c', 2, 'd'], ['b"c', 4], ['g']]);
  expect(lossyNumbers(text, 1)).toHaveLength(1);
});

test('stops the scan at the maximum number of values', () => {
  expect(scanJson(`[${'1,'.repeat(100_000)}12345678901234567]`, 10)).toEqual({
    values: 11,
    losesDigits: false,
  });
});
