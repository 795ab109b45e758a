import { readFileSync } from 'node:fs';
import { errorCode } from '../db/kernel/error-code';

/**
 * Reads a log that has one JSON value per line; returns an empty list if the file doesn't exist. Skips lines that aren't entries, because a
 * killed process may leave an incomplete one.
 */
export function readJsonLines<Entry>(path: string, isEntry: (value: unknown) => value is Entry): Entry[] {
  return textOf(path)
    .split('\n')
    .flatMap((line) => {
      const value = valueOf(line);
      return isEntry(value) ? [value] : [];
    });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
