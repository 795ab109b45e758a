import { indented } from '../../../console/src/webhooks/indented';

test('shows a JSON body with one field per line', () => {
  expect(indented('{"a":1,"b":[]}')).toBe('{\n  "a": 1,\n  "b": []\n}');
});

test('shows a body that is not JSON unchanged', () => {
  expect(indented('{"a":')).toBe('{"a":');
});
