import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { SECTIONS } from '../../../domain/agent-config';
import type { Row, Table } from '../../../domain/agent-config/rows';
import { withTables } from '../../../dev/pages/agent-config';
import { PAGES, withPart } from '../../../dev/pages/generated';
import { markdownTable } from '../../../dev/pages/markdown';
import { repositoryRoot } from '../../../dev/stack/repository';

test.each(PAGES.map((page) => [relative(repositoryRoot(), page.file), page] as const))(
  '%s holds what "npm run pages" makes from the code: run it, and commit the file',
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

test('a field of an agent that is stored only says so, as neither the page nor the OpenAPI document shows its effects', () => {
  const rowsOf = (table: Table): Row[] =>
    Object.values(table).flatMap((row) => ('rows' in row ? [row, ...rowsOf(row.rows)] : [row]));
  const stored = Object.values(SECTIONS)
    .flatMap(({ rows }) => rowsOf(rows))
    .filter((row) => 'effects' in row && row.effects.includes('stored'));
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.filter(({ does }) => !does.includes('Stored only')).map(({ does }) => does)).toEqual([]);
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
