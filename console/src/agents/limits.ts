/** Describes the limits of a form field and checks input against them. */
import { countOf } from '../format/numbers';
import { valueOfText, type FieldOf } from './schema';

/** Returns one sentence for each limit. */
export function limitsOf({ kind, least, most, mostCharacters, mostEntries }: FieldOf): string[] {
  return [
    ...(least === undefined
      ? []
      : [most === undefined ? `At least ${countOf(least)}.` : `${countOf(least)} to ${countOf(most)}.`]),
    ...(mostEntries === undefined ? [] : [`At most ${countOf(mostEntries)} ${entriesOf(kind)}.`]),
    ...(mostCharacters === undefined ? [] : [`At most ${charactersOf(kind, mostCharacters)}.`]),
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

function tooMany({ kind, mostEntries: most }: FieldOf, value: unknown): string | null {
  if (most === undefined || typeof value !== 'object' || value === null) return null;
  const count = Object.keys(value).length;
  return count <= most
    ? null
    : `These are ${countOf(count)} ${entriesOf(kind)}; at most ${countOf(most)} are allowed`;
}

function tooLong({ kind, mostCharacters: most }: FieldOf, value: unknown): string | null {
  if (most === undefined) return null;
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (each) => typeof each === 'string',
  );
  // Counts code points, as the API does, so an emoji is one character.
  const longest = Math.max(0, ...texts.map((each) => (each.length <= most ? 0 : [...each].length)));
  if (longest <= most) return null;
  const subject = kind === 'lines' ? 'A line has' : 'These are';
  return `${subject} ${countOf(longest)} characters; at most ${countOf(most)} are allowed`;
}

const entriesOf = (kind: FieldOf['kind']): string => (kind === 'lines' ? 'lines' : 'entries');

const charactersOf = (kind: FieldOf['kind'], most: number): string =>
  `${countOf(most)} characters${kind === 'lines' ? ' each' : ''}`;
