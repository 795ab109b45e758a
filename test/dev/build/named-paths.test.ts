import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';

const FOLDERS = 'activities|agent|api|config|db|deploy|dev|examples|mcp|runtime|test|verify|worker|workflows';
/** Paths from the root, in the form that documents and SQL function heads use, such as `db/calls/engine.ts` or `test/db/`. */
const PATH = new RegExp(`(?<![\\w./-])(?:${FOLDERS})/[\\w./-]*\\w`, 'g');

const root = repositoryRoot();
const pages = execFileSync('git', ['ls-files', '--', '*.md', '*.sql'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  // The index of git may list a file that no longer exists.
  .filter((page) => page !== '' && page !== 'CHANGELOG.md');

/** A path can omit a module's extension, or be a program's built file. */
const exists = (path: string): boolean =>
  [path, `${path}.ts`, path.replace(/\.js$/, '.ts')].some((each) => existsSync(join(root, each)));

/** Patterns such as `test/<layer>/` or `db/functions/*.sql` aren't paths of files. */
const pathsOf = (page: string): string[] =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/[\w./-]*[<*][\w./<>*-]*/g, '')
    .match(PATH) ?? [];

test('finds every file and folder that documents and SQL functions mention', () => {
  expect(pages.length).toBeGreaterThan(50);
  const gone = pages.flatMap((page) =>
    pathsOf(page)
      .filter((path) => !exists(path))
      .map((path) => `${page}: ${path}`),
  );
  expect(gone).toEqual([]);
});
