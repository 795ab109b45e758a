/** Reads all data that a platform stores as text, to search it for a person. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { everyColumn } from '../../db/support/every-column';
import type { Platform } from './platform';

interface Kept {
  where: string;
  text: string;
}

/**
 * Returns the places that contain one of the words, ignoring spaces, hyphens, dots and brackets between digits. Excludes the simulated
 * carrier's log, the mail server's e-mails, and Postgres's own files, which keep deleted rows for a while.
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

/** Reads stored files, logs, and the Temporal server's file with histories and visibility. */
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

/** Reads the inputs, results, failures, memos, search attributes and summaries of all workflows. */
async function histories({ temporal }: Platform): Promise<Kept[]> {
  const kept: Kept[] = [];
  for await (const { workflowId, runId, raw } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const where = `temporal: ${raw.type?.name ?? ''}`;
    kept.push({ where, text: [...textsIn([raw, history])].join('\n') });
  }
  return kept;
}

/** Walks the value key by key, because JSON would encode the payloads of Temporal's messages in base64. */
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
