import { readFileSync } from 'node:fs';
import { withTables } from '../../dev/agent-config-doc/tables';

const document = readFileSync('docs/agent-config.md', 'utf8');

test('the tables of docs/agent-config.md are those of the code: `npm run agent-config` writes them', () => {
  expect(document).toBe(withTables(document));
});

test('a document without a place for a table is refused', () => {
  expect(() => withTables('# Nothing')).toThrow('no place for the table of persona');
});
