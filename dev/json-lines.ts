import { readFileSync } from 'node:fs';
import { errorCode } from '../db/kernel/error-code';

/**
 * The entries of an append-only log with a JSON value in each line, in the order written; none where there is no file yet. Lines that are no
 * entry are passed over, as a killed process may leave a torn one.
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
