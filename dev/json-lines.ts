import { readFileSync } from 'node:fs';
import { parsedJson } from '../domain/json';
import { errorCode } from '../db/kernel/error-code';

/**
 * Reads a log that has one JSON value per line; returns an empty list if the file doesn't exist. Skips lines that aren't entries, because a
 * killed process may leave an incomplete one.
 */
export function readJsonLines<Entry>(path: string, isEntry: (value: unknown) => value is Entry): Entry[] {
  return textOf(path)
    .split('\n')
    .flatMap((line) => {
      const value = parsedJson(line);
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
