import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { withTables } from '../../../dev/pages/agent-config';
import { PAGES, withPart } from '../../../dev/pages/generated';
import { repositoryRoot } from '../../../dev/stack/repository';

test.each(PAGES.map((page) => [relative(repositoryRoot(), page.file), page] as const))(
  'finds %s up to date (run "npm run pages" and commit the file)',
  (_name, { file, made }) => {
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n')).toEqual(made(text).split('\n'));
  },
);

const text = 'Before.\n\n<!-- made by "npm run pages": a table -->\n\nold\n\n<!-- until here -->\n\nAfter.\n';

test('rejects a document that has lost one of its marks', () => {
  expect(() => withPart(text.replace('<!-- until here -->', ''), 'new')).toThrow('lacks the two marks');
});

test('rejects a document without a mark for a configuration table', () => {
  expect(() => withTables('# Nothing')).toThrow('no place for the table of persona');
});
