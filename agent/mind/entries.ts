/** Reads what the interface calls "a map of name to text", of which nobody knows what clients really store. */
import { isJsonObject } from '../../workflows/domain/json';

export interface Entry {
  /** Empty where the texts have no names. */
  name: string;
  text: string;
}

export interface Entries {
  entries: Entry[];
  /** Of those that are no text, or beyond the bounds. */
  leftOut: number;
}

export interface Bounds {
  most: number;
  /** Of a single text. A longer one is left out, not cut: half an answer may say the opposite. */
  longest: number;
}

const NAMES = ['name', 'question', 'q', 'title', 'label', 'key', 'trait', 'mood'] as const;
const TEXTS = [
  'answer',
  'a',
  'text',
  'content',
  'value',
  'resolution',
  'guidance',
  'description',
  'body',
] as const;

/** Takes a map, a list of texts, or a list of objects that name themselves. */
export function entriesOf(value: unknown, { most, longest }: Bounds): Entries {
  if (value === undefined || value === null) return { entries: [], leftOut: 0 };
  const all = candidates(value);
  const readable = all.filter(
    (entry): entry is Entry => entry !== null && entry.text.length <= longest && entry.name.length <= longest,
  );
  const entries = readable.slice(0, most);
  return { entries, leftOut: all.length - entries.length };
}

function candidates(value: unknown): (Entry | null)[] {
  if (typeof value === 'string') return [entryOf('', value)];
  if (Array.isArray(value)) return value.map((item) => entryOf(nameOf(item), item));
  if (isJsonObject(value)) return Object.entries(value).map(([name, item]) => entryOf(name, item));
  return [null];
}

function entryOf(name: string, value: unknown): Entry | null {
  const text = textOf(value)?.trim() ?? '';
  return text === '' ? null : { name: name.trim(), text };
}

const nameOf = (item: unknown): string => (isJsonObject(item) ? (firstText(item, NAMES) ?? '') : '');

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.every(isPlain) ? value.map(String).join(', ') : null;
  return isJsonObject(value) ? firstText(value, TEXTS) : null;
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

function firstText(item: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (isPlain(value) && value !== '') return String(value);
  }
  return null;
}
