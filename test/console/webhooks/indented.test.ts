import { indented } from '../../../console/src/webhooks/indented';

test('a body is shown with a line for each field', () => {
  expect(indented('{"a":1,"b":[]}')).toBe('{\n  "a": 1,\n  "b": []\n}');
});

test('a body that is no JSON is shown as it is', () => {
  expect(indented('{"a":')).toBe('{"a":');
});
