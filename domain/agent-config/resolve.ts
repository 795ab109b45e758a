/**
 * Resolves a stored section to the values that a call uses. Another release may have written the row, so invalid values count as absent,
 * numbers are clamped, and oversized lists and maps are truncated.
 */
import { isJsonObject, type JsonObject } from '../json';
import { readText } from './forms';
import type { ItemRow, ListRow, NumberRow, ResolvedOf, Row, Section, Table, TextRow } from './rows';

export function resolveSection<T extends Table>(
  { rows }: Section<T>,
  stored: unknown,
): { readonly [K in keyof T]: ResolvedOf<T[K]> } {
  // This cast is safe because a property test compares the types of the tables with their values.
  return resolveRows(rows, stored) as { readonly [K in keyof T]: ResolvedOf<T[K]> };
}

function resolveRows(rows: Table, stored: unknown): JsonObject {
  const held = isJsonObject(stored) ? stored : {};
  return Object.fromEntries(
    Object.entries(rows).map(([key, row]) => [
      key,
      resolve(row, Object.hasOwn(held, key) ? held[key] : undefined),
    ]),
  );
}

function resolve(row: Row, stored: unknown): unknown {
  switch (row.kind) {
    case 'group':
    case 'item':
      return resolveRows(row.rows, stored);
    case 'shape':
      return isJsonObject(stored) ? resolveRows(row.rows, stored) : null;
    case 'shape map':
      return mapped(stored, row.max, (item) => [isJsonObject(item) ? resolveRows(row.rows, item) : null]);
    case 'text map':
      return mapped(stored, row.max, textsIn);
    case 'map':
      return isJsonObject(stored) ? firstKeys(stored, row.max) : {};
    case 'list':
      return Array.isArray(stored) ? entriesOf(row, stored) : [];
    case 'any':
      return stored ?? null;
    case 'flag':
      return typeof stored === 'boolean' ? stored : row.default;
    case 'number':
      return numberOf(row, stored);
    case 'choice':
      return row.values.find((value) => value === stored) ?? row.default;
    case 'word':
      if (typeof stored !== 'string' || stored.trim() === '') return row.default;
      return row.values.find((value) => value === stored.trim()) ?? row.otherwise;
    case 'text':
      return textOf(row, stored);
  }
}

/** A blank string counts as unset. */
function textOf(row: TextRow, stored: unknown): string {
  const text = typeof stored === 'string' ? readText(row, stored) : null;
  return text === null || text === '' ? row.default : text;
}

function numberOf({ min, max, default: value }: NumberRow, stored: unknown): number | null {
  if (typeof stored !== 'number' || !Number.isFinite(stored)) return value;
  return Math.min(Math.max(stored, min), max);
}

function entriesOf({ entry, max }: ListRow, stored: readonly unknown[]): unknown[] {
  if (entry === null) return stored.slice(0, max);
  const entries = stored.slice(0, max);
  if (entry.kind === 'item')
    return entries.filter((one) => isItem(entry, one)).map((one) => resolve(entry, one));
  if (entry.kind !== 'text') return entries.map((one) => resolve(entry, one));
  return entries.map((one) => textOf(entry, one)).filter((text) => text !== '');
}

const isItem = ({ rows }: ItemRow, stored: unknown): stored is JsonObject =>
  isJsonObject(stored) &&
  Object.entries(rows).every(([key, row]) => row.required !== true || isUsable(row, stored[key]));

function isUsable(row: Row, stored: unknown): boolean {
  if (row.kind === 'choice') return row.values.some((value) => value === stored);
  // A question may be empty, in which case its name is used instead.
  return typeof stored === 'string' && (row.kind !== 'text' || readText(row, stored) !== null);
}

const textsIn = (value: unknown): string[] => {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? [] : [text];
};

/** Maps each value with `become`, and drops a key whose result is empty. */
function mapped(stored: unknown, max: number, become: (value: unknown) => unknown[]): JsonObject {
  if (!isJsonObject(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored)
      .slice(0, max)
      .flatMap(([key, value]) => become(value).map((one) => [key, one] as const)),
  );
}

function firstKeys(stored: JsonObject, max: number): JsonObject {
  const keys = Object.keys(stored);
  return keys.length <= max
    ? stored
    : Object.fromEntries(keys.slice(0, max).map((key) => [key, stored[key]]));
}
