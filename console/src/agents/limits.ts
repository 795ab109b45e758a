/** Describes the limits of a form field and checks input against them. */
import { countOf } from '../format/numbers';
import { valueOfText, type FieldOf } from './schema';

/** Returns one sentence for each limit. */
export function limitsOf({ kind, min, max, maxCharacters, maxEntries }: FieldOf): string[] {
  return [
    ...(min === undefined
      ? []
      : [max === undefined ? `At least ${countOf(min)}.` : `${countOf(min)} to ${countOf(max)}.`]),
    ...(maxEntries === undefined ? [] : [`At most ${countOf(maxEntries)} ${entriesOf(kind)}.`]),
    ...(maxCharacters === undefined ? [] : [`At most ${charactersOf(kind, maxCharacters)}.`]),
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
    return 'This is not valid JSON';
  }
  return tooMany(field, value) ?? tooLong(field, value);
}

function tooMany({ kind, maxEntries: max }: FieldOf, value: unknown): string | null {
  if (max === undefined || typeof value !== 'object' || value === null) return null;
  const count = Object.keys(value).length;
  return count <= max
    ? null
    : `These are ${countOf(count)} ${entriesOf(kind)}; at most ${countOf(max)} are allowed`;
}

function tooLong({ kind, maxCharacters: max }: FieldOf, value: unknown): string | null {
  if (max === undefined) return null;
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (each) => typeof each === 'string',
  );
  // Counts code points, as the API does, so an emoji is one character.
  const longest = Math.max(0, ...texts.map((each) => (each.length <= max ? 0 : [...each].length)));
  if (longest <= max) return null;
  const subject = kind === 'lines' ? 'A line has' : 'These are';
  return `${subject} ${countOf(longest)} characters; at most ${countOf(max)} are allowed`;
}

const entriesOf = (kind: FieldOf['kind']): string => (kind === 'lines' ? 'lines' : 'entries');

const charactersOf = (kind: FieldOf['kind'], max: number): string =>
  `${countOf(max)} characters${kind === 'lines' ? ' each' : ''}`;
