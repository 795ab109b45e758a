import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copySql } from '../../../dev/build/copy-sql';
import { temporaryFolder } from '../temporary-folder';

const ROOT = join(__dirname, '../../..');
const ONE = 'create or replace function one() returns void language sql as $$ $$;';

let from: string;
let to: string;
beforeEach(() => {
  from = join(temporaryFolder(), 'db');
  to = join(temporaryFolder(), 'dist', 'db');
  write(from, { 'functions/one.sql': ONE });
});

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path))
    .sort();

test('copies SQL functions and migrations, but not schema.sql', async () => {
  write(from, { 'migrations/0001/calls.sql': 'create table calls ()', 'schema.sql': '', 'migrate.ts': '' });
  expect(await copySql(from, to)).toBe(2);
  expect(filesOf(to)).toEqual(['functions/one.sql', 'migrations/0001/calls.sql']);
  expect(readFileSync(join(to, 'functions/one.sql'), 'utf8')).toBe(ONE);
});

test('removes SQL functions that no longer have a source file, but keeps the output of tsc', async () => {
  write(to, { 'functions/gone.sql': ONE, 'migrate.js': '' });
  await copySql(from, to);
  expect(filesOf(to)).toEqual(['functions/one.sql', 'migrate.js']);
});

test("fails to copy an SQL file that doesn't create the function it is named after", async () => {
  write(from, { 'functions/two.sql': ONE });
  await expect(copySql(from, to)).rejects.toThrow('two.sql must create or replace one function, two');
});

test('copies every .sql file that migrate needs', async () => {
  const read = filesOf(join(ROOT, 'db')).filter((path) => path.endsWith('.sql') && path !== 'schema.sql');
  expect(await copySql(join(ROOT, 'db'), to)).toBe(read.length);
  expect(filesOf(to)).toEqual(read);
});
