/** The head of each function must state its guarantee, its locks and all its callers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFunctionFiles, type FunctionFile } from '../../db/kernel/apply-functions';
import { temporaryFolder } from '../dev/temporary-folder';
import { writeFileSync } from 'node:fs';

const ROOT = join(__dirname, '../..');

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Returns the SQL without the head, because the head mentions functions without calling them. */
const statements = ({ sql }: FunctionFile): string => sql.slice(sql.indexOf('\ncreate or replace function'));

function typescriptFiles(): { path: string; text: string }[] {
  return readdirSync(join(ROOT, 'db'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `db/${path}`, text: readFileSync(join(ROOT, 'db', path), 'utf8') }));
}

/** Matches a call of the function in a TypeScript file's SQL. */
const callsIt = (name: string): RegExp => new RegExp(String.raw`(?:select|^\s*) *${name}\(`, 'm');

/** Returns the callers in the files: SQL functions, triggers, and TypeScript files that select the function. */
function callersOf(name: string, files: readonly FunctionFile[]): string[] {
  const own = files.find((file) => file.name === name);
  const triggers = [
    ...(own === undefined ? '' : statements(own)).matchAll(/^create trigger (\w+).*? on (\w+)/gm),
  ];
  return [
    ...typescriptFiles().flatMap(({ path, text }) => (callsIt(name).test(text) ? [path] : [])),
    ...files
      .filter((file) => file.name !== name && new RegExp(String.raw`\b${name}\(`).test(statements(file)))
      .map((file) => file.name),
    ...triggers.map(([, trigger, table]) => `trigger ${trigger} on ${table}`),
  ].sort();
}

/** Returns a part of the head, such as `Callers: a, b.`, whose lines start with two hyphens. */
function partOfHead({ sql }: FunctionFile, part: string): string | undefined {
  const head = sql.slice(0, sql.indexOf('\ncreate or replace function')).replaceAll('\n-- ', ' ');
  return new RegExp(String.raw`(?:^| )${part}: (.*?)(?= (?:Same rule|Guarantee|Locks|Callers): |$)`).exec(
    head,
  )?.[1];
}

describe('a function of db/functions', () => {
  let files: FunctionFile[];
  beforeAll(async () => {
    files = await readFunctionFiles();
  });

  test('requires a head with the guarantee and the locks', () => {
    for (const file of files) {
      const { name } = file;
      expect({ name, guarantee: partOfHead(file, 'Guarantee'), locks: partOfHead(file, 'Locks') }).toEqual({
        name,
        guarantee: expect.stringMatching(/\w/),
        locks: expect.stringMatching(/\w/),
      });
    }
  });

  test('requires a head with all callers and no others', () => {
    for (const file of files) {
      const named = partOfHead(file, 'Callers')?.replace(/\.$/, '').split(', ').sort();
      expect({ name: file.name, callers: named }).toEqual({
        name: file.name,
        callers: callersOf(file.name, files),
      });
    }
  });

  test('requires every file named under "Same rule" to mention the function', () => {
    const named = files.flatMap((file) =>
      (partOfHead(file, 'Same rule')?.replace(/\.$/, '').split(', ') ?? []).map((path) => ({
        name: file.name,
        path,
      })),
    );
    expect(named.length).toBeGreaterThan(6);
    for (const { name, path } of named)
      expect(readFileSync(join(ROOT, path), 'utf8')).toContain(`\`${name}\``);
  });

  test('requires a TypeScript file that calls a function to declare one with the same name', () => {
    const called = typescriptFiles().flatMap(({ path, text }) =>
      files.filter(({ name }) => text.includes(`select ${name}(`)).map(({ name }) => ({ path, text, name })),
    );
    expect(called.length).toBeGreaterThan(8);
    for (const { path, text, name } of called) {
      const declares = text.includes(`function ${camelCase(name)}(`);
      expect({ path, name, declares }).toEqual({ path, name, declares: true });
    }
  });

  const folderWith = (file: string, sql: string): string => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, file), sql);
    return folder;
  };

  test.each([
    ['creates a function of another name', 'one.sql', 'create or replace function two() returns void as $$'],
    ['creates none', 'one.sql', 'select 1'],
    ['creates it without "or replace"', 'one.sql', 'create function one() returns'],
    ['creates two', 'one.sql', 'create or replace function one() …;\ncreate or replace function two() …;'],
  ])('rejects a file that %s', async (_what, file, sql) => {
    await expect(readFunctionFiles(folderWith(file, sql))).rejects.toThrow(
      'one.sql must create or replace one function, one',
    );
  });

  test('rejects a folder without functions, because migrate would drop every function', async () => {
    await expect(readFunctionFiles(temporaryFolder())).rejects.toThrow('no .sql files');
  });
});
