import { existsSync, readFileSync } from 'node:fs';
import type Joi from 'joi';

/** A value with its line number in the file, starting at 1. */
export type Line<T> = T & { line: number };

/**
 * Returns the log lines that match `schema`. Skips lines that `isMeant` rejects, and lines that aren't JSON because a killed process left
 * them incomplete.
 * @throws ValidationError if a line that `isMeant` accepts doesn't match, Error if the file is missing
 */
export function readLines<T extends object>(
  path: string,
  schema: Joi.ObjectSchema<T>,
  isMeant: (value: object) => boolean = () => true,
): Line<T>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const value = parsed(text);
    if (value === null || !isMeant(value)) return [];
    return [{ ...fitting(value, schema, `${path}:${index + 1}`), line: index + 1 }];
  });
}

/** Same as `readLines`, but returns an empty list if the file does not exist. */
export function readLinesIfAny<T extends object>(path: string, schema: Joi.ObjectSchema<T>): Line<T>[] {
  return existsSync(path) ? readLines(path, schema) : [];
}

export function readList<T extends object>(path: string, schema: Joi.ObjectSchema<T>): T[] {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(value)) throw new Error(`${path} holds no list`);
  return value.map((each, index) => fitting<T>(each, schema, `${path}[${index}]`));
}

export function readObject<T extends object>(path: string, schema: Joi.ObjectSchema<T>): T {
  return fitting<T>(JSON.parse(readFileSync(path, 'utf8')), schema, path);
}

function fitting<T extends object>(value: unknown, schema: Joi.ObjectSchema<T>, where: string): T {
  const result = schema.validate(value, { allowUnknown: true, convert: false });
  if (result.error === undefined) return result.value;
  throw new Error(`${where}: ${result.error.message}`, { cause: result.error });
}

function parsed(text: string): object | null {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
