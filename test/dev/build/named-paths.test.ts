import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';

const FOLDERS = 'activities|agent|api|db|deploy|dev|examples|mcp|runtime|test|verify|worker|workflows';
/** From the root, as documents and the heads of SQL functions name files: `db/calls/engine.ts`, `test/db/`. */
const PATH = new RegExp(`(?<![\\w./-])(?:${FOLDERS})/[\\w./-]*\\w`, 'g');

const root = repositoryRoot();
const pages = execFileSync('git', ['ls-files', '--', '*.md', '*.sql'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  // What was added may be gone by now.
  .filter((page) => page !== '' && page !== 'CHANGELOG.md');

/** A module may be named without its ending, a program by what it is built to. */
const exists = (path: string): boolean =>
  [path, `${path}.ts`, path.replace(/\.js$/, '.ts')].some((each) => existsSync(join(root, each)));

/** A line that names a pattern, such as `test/<layer>/` or `db/functions/*.sql`, names no file. */
const pathsOf = (page: string): string[] =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/[\w./-]*[<*][\w./<>*-]*/g, '')
    .match(PATH) ?? [];

test('every file and folder that a document or an SQL function names is there', () => {
  expect(pages.length).toBeGreaterThan(50);
  const gone = pages.flatMap((page) =>
    pathsOf(page)
      .filter((path) => !exists(path))
      .map((path) => `${page}: ${path}`),
  );
  expect(gone).toEqual([]);
});
