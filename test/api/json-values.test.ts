import { countJsonValues } from '../../api/http/input/json-values';

/** What a parser would find, counted in its result. */
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
])('the values of JSON text are counted as a parser finds them: %s', (text) => {
  expect(countJsonValues(text)).toBe(counted(JSON.parse(text)));
});

test('what is no JSON is counted too, and never for ever', () => {
  for (const text of ['', '"', '"\\', '[', '{"a', ',,,', ']]]', '["a" "b"']) {
    expect(countJsonValues(text)).toBeLessThanOrEqual(text.length);
  }
});
