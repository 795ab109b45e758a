import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folder of the SQL functions. A file has the name of its function and includes the triggers that run it. */
export const FUNCTIONS_FOLDER = join(__dirname, '..', 'functions');

export interface FunctionFile {
  /** Name of the function and of the file, in lower case. */
  name: string;
  /** Has one `create or replace function` and a `create trigger` for each trigger that runs it. */
  sql: string;
  /** SHA-256 of `sql`, in hex. */
  checksum: string;
}

/** Returns the files sorted by name. Rejects if a file does not create exactly the function that it is named after. */
export async function readFunctionFiles(folder = FUNCTIONS_FOLDER): Promise<FunctionFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  // Without this check, an image that lacks the files would drop every function of the database.
  if (files.length === 0) throw new Error(`there are no .sql files in ${folder}`);
  return Promise.all(files.map((file) => readFunctionFile(folder, file.slice(0, -'.sql'.length))));
}

async function readFunctionFile(folder: string, name: string): Promise<FunctionFile> {
  const sql = await readFile(join(folder, `${name}.sql`), 'utf8');
  const made = [...sql.matchAll(/^create (?:or replace )?function (\w+)/gim)].map(([, each]) => each);
  if (made.length !== 1 || made[0] !== name || !sql.includes(`create or replace function ${name}(`)) {
    throw new Error(
      `${name}.sql must create or replace one function, ${name}; it creates: ${made.join(', ') || 'none'}`,
    );
  }
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
