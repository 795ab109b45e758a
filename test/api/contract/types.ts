/** Checks whether a value has a type in the interface's notation. */
import { wordsOf } from './values';

type Test = (value: unknown) => boolean;

const isObject: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Test = (value) => typeof value === 'string';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const TYPES: Readonly<Record<string, Test>> = {
  string: isText,
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  integers: Number.isInteger,
  strings: isText,
  boolean: (value) => typeof value === 'boolean',
  booleans: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  nullable: (value) => value === null || isText(value),
  'object or null': (value) => value === null || isObject(value),
  'string or null': (value) => value === null || isText(value),
  'array of string': (value) => Array.isArray(value) && value.every(isText),
  uuid: (value) => isText(value) && UUID.test(String(value)),
  instant: (value) => isText(value) && INSTANT.test(String(value)),
};

/** Throws for an unknown type, so that a new one isn't skipped. */
export function expectType(value: unknown, type: string): void {
  const parts = /^object: (.+) \((\w+)\)$/.exec(type);
  if (parts) {
    expect(Object.keys(value as object)).toEqual(wordsOf(parts[1] ?? ''));
    for (const part of Object.values(value as object)) expectType(part, parts[2] ?? '');
    return;
  }
  const name = typeName(type);
  const test = TYPES[name];
  if (test === undefined) throw new Error(`unknown type "${type}"`);
  if (!test(value)) throw new Error(`${JSON.stringify(value)} is not of the type ${name}`);
}

function typeName(type: string): string {
  if (/UUID/.test(type)) return 'uuid';
  if (/timestamp|ISO 8601/.test(type)) return 'instant';
  return type.replace(/ \(e\.g\.[^)]*\)$/, '');
}
