/** Reads maps from name to text out of the configuration. The API only validates that there is a map, not what it contains. */
import type { Uses } from '../../domain/agent-config/maxima';
import type { JsonObject } from '../../domain/json';

export interface Entry {
  name: string;
  text: string;
}

interface Entries {
  entries: Entry[];
  /** Number of entries that are not text or exceed a limit. */
  ignoredCount: number;
}

/** Converts numbers, booleans, and lists of strings or numbers to text. Counts all other values as ignored. */
export function entriesOf(map: JsonObject, { entries: max, characters: longest = Infinity }: Uses): Entries {
  const all = Object.entries(map).map(([name, value]) => ({
    name: name.trim(),
    text: textOf(value)?.trim() ?? '',
  }));
  const readable = all.filter(
    ({ name, text }) => text !== '' && text.length <= longest && name.length <= longest,
  );
  const entries = readable.slice(0, max);
  return { entries, ignoredCount: all.length - entries.length };
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) && value.every(isPlain) ? value.map(String).join(', ') : null;
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** Drops each item that would exceed `maxChars` characters in total. Earlier items take precedence. */
export function withinBudget<T>(all: readonly T[], charsOf: (one: T) => number, maxChars: number): T[] {
  let chars = 0;
  return all.filter((one) => {
    const together = chars + charsOf(one);
    if (together > maxChars) return false;
    chars = together;
    return true;
  });
}
