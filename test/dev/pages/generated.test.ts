import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { withTables } from '../../../dev/pages/agent-config';
import { PAGES, withPart } from '../../../dev/pages/generated';
import { markdownTable } from '../../../dev/pages/markdown';

test.each(PAGES.map((page) => [basename(page.file), page] as const))(
  'docs/%s holds what "npm run pages" makes from the code: run it, and commit the file',
  (_name, { file, made }) => {
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n')).toEqual(made(text).split('\n'));
  },
);

const text = 'Before.\n\n<!-- made by "npm run pages": a table -->\n\nold\n\n<!-- until here -->\n\nAfter.\n';

test('only what stands between the two lines is replaced', () => {
  expect(withPart(text, 'new $1')).toBe(text.replace('old', () => 'new $1'));
});

test('a document that has lost one of the two lines is refused', () => {
  expect(() => withPart(text.replace('<!-- until here -->', ''), 'new')).toThrow('are not there');
});

test('a document without a place for a table of the configuration is refused', () => {
  expect(() => withTables('# Nothing')).toThrow('no place for the table of persona');
});

test('the columns of a table are as wide as their widest cell', () => {
  expect(
    markdownTable(
      ['a', 'event'],
      [
        ['one', 'x'],
        ['', 'longest'],
      ],
    ),
  ).toBe(['| a   | event   |', '| --- | ------- |', '| one | x       |', '|     | longest |'].join('\n'));
});
