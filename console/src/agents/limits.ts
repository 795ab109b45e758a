/** Describes the limits of a form field and checks input against them. */
import { countOf } from '../format/values';
import { valueOfText, type FieldOf } from './schema';

/** Returns one sentence for each limit. */
export function limitsOf({ kind, min, max, maxCharacters, maxEntries }: FieldOf): string[] {
  return [
    ...(min === undefined
      ? []
      : [max === undefined ? `At least ${countOf(min)}.` : `${countOf(min)} to ${countOf(max)}.`]),
    ...(maxEntries === undefined ? [] : [`At most ${entriesOf(kind, maxEntries)}.`]),
    ...(maxCharacters === undefined
      ? []
      : [`At most ${charactersOf(maxCharacters)}${kind === 'lines' ? ' per line' : ''}.`]),
  ];
}

/**
 * Returns an error message, or null if the input is valid. The form doesn't truncate long input, so that users can shorten pasted text
 * themselves.
 */
export function faultOf(field: FieldOf, text: string): string | null {
  let value: unknown;
  try {
    value = valueOfText(field.kind, text);
  } catch {
    return 'This isn’t valid JSON.';
  }
  return tooMany(field, value) ?? tooLong(field, value);
}

function tooMany({ kind, maxEntries: max }: FieldOf, value: unknown): string | null {
  if (max === undefined || typeof value !== 'object' || value === null) return null;
  const count = Object.keys(value).length;
  return count <= max ? null : `Use at most ${entriesOf(kind, max)}. There are ${countOf(count)} now.`;
}

function tooLong({ kind, maxCharacters: max }: FieldOf, value: unknown): string | null {
  if (max === undefined) return null;
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (each) => typeof each === 'string',
  );
  // Counts code points, as the API does, so an emoji counts as one character.
  const longest = Math.max(0, ...texts.map((each) => (each.length <= max ? 0 : [...each].length)));
  if (longest <= max) return null;
  return kind === 'lines'
    ? `Use at most ${charactersOf(max)} per line. The longest line has ${countOf(longest)}.`
    : `Use at most ${charactersOf(max)}. There are ${countOf(longest)} now.`;
}

const entriesOf = (kind: FieldOf['kind'], count: number): string =>
  `${countOf(count)} ${kind === 'lines' ? nounOf(count, 'line', 'lines') : nounOf(count, 'entry', 'entries')}`;

const charactersOf = (count: number): string =>
  `${countOf(count)} ${nounOf(count, 'character', 'characters')}`;

const nounOf = (count: number, singular: string, plural: string): string => (count === 1 ? singular : plural);
