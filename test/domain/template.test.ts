import { fillTemplate } from '../../domain/template';

test.each([
  ['a variable is replaced', 'Hello {{name}}!', { name: 'Asha' }, 'Hello Asha!'],
  ['spaces inside the braces do not matter', '{{ name }}', { name: 'Asha' }, 'Asha'],
  ['a name may contain spaces', '{{due date}}', { 'due date': 'Monday' }, 'Monday'],
  ['names are case-sensitive', '{{Name}}', { name: 'Asha' }, ''],
  ['an unknown variable becomes empty', 'Hello {{name}}.', {}, 'Hello .'],
  ['null becomes empty', '{{a}}', { a: null }, ''],
  ['numbers and booleans become text', '{{a}} {{b}}', { a: 0, b: false }, '0 false'],
  ['a small number is written in plain decimals', '{{a}}', { a: 1e-7 }, '0.0000001'],
  ['a negative small number is too', '{{a}}', { a: -1.25e-9 }, '-0.00000000125'],
  ['a large number is too', '{{a}}', { a: 1.5e21 }, '1500000000000000000000'],
  ['an object is written as JSON', '{{a}}', { a: { b: 1 } }, '{"b":1}'],
  ['an inherited property is not a variable', '{{constructor}}{{toString}}', {}, ''],
  ['a value is not filled in again', '{{a}}', { a: '{{b}}', b: 'x' }, '{{b}}'],
  ['a dollar sign is text', '{{a}}', { a: '$& $1' }, '$& $1'],
  ['markup is not escaped', '{{a}}', { a: "D'Souza & <b>" }, "D'Souza & <b>"],
  ['single braces stay', '{name}', { name: 'x' }, '{name}'],
])('fills in a template correctly: %s', (_fact, text, variables, filled) => {
  expect(fillTemplate(text, variables)).toBe(filled);
});

test('reads a million opening braces in one pass', () => {
  const braces = '{'.repeat(1_000_000);
  expect(fillTemplate(braces, {})).toBe(braces);
});
