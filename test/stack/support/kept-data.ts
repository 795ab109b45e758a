/** All that a platform keeps, as text: where a person is looked for. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { everyColumn } from '../../db/support/every-column';
import type { Platform } from './platform';

interface Kept {
  where: string;
  text: string;
}

/**
 * Where one of the words is found, each place once. Blanks, hyphens, dots and brackets between digits do not hide a number. What belongs to
 * others is left out: the log of the simulated carrier, the e-mails of the mail server, and Postgres' own files, which keep what was deleted
 * for a while.
 */
export async function placesOf(platform: Platform, words: readonly string[]): Promise<string[]> {
  const found = [
    ...(await everyColumn(platform.db)),
    ...(await files(platform)),
    ...(await histories(platform)),
  ];
  return found
    .filter(({ text }) => {
      const lower = text.toLowerCase();
      const joined = lower.replace(/(?<=\d)[\s().-]+(?=\d)/g, '');
      return words.some((word) => lower.includes(word.toLowerCase()) || joined.includes(word.toLowerCase()));
    })
    .map(({ where }) => where)
    .sort();
}

const OF_OTHERS = [/^postgres\//, /^mail\//, /^logs\/simulator\./];

/** Stored files, logs, and the file of Temporal's server, which holds histories and visibility. */
async function files({ stack }: Platform): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const entry of await readdir(stack.dataFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(stack.dataFolder, path);
    if (!entry.isFile() || OF_OTHERS.some((pattern) => pattern.test(name))) continue;
    const where = name.replace(/^files\/(recordings\/)?.*/, 'files/$1*');
    kept.push({ where, text: `${name}\n${await readFile(path, 'utf8')}` });
  }
  return kept;
}

/** Inputs, results, failures, memos, search attributes and summaries of every workflow. */
async function histories({ temporal }: Platform): Promise<Kept[]> {
  const kept: Kept[] = [];
  for await (const { workflowId, runId, raw } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const where = `temporal: ${raw.type?.name ?? ''}`;
    kept.push({ where, text: [...textsIn([raw, history])].join('\n') });
  }
  return kept;
}

/** Key by key: as JSON, Temporal's messages give their payloads in base64, where no word is found. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8');
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* textsIn(inner);
    }
  }
}
