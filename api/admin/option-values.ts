/** Parses option values. Error messages are appended to the option's name and never repeat the typed value. */
import { InvalidArgumentError, type CommanderError } from 'commander';
import { isMailAddress } from '../../domain/completion-mail';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
/** Ten years. Anything longer is a typo. */
const MAX_DURATION_MS = 3660 * 86_400_000;

const DURATION_WORDS = 'a duration such as 90m, 24h, 7d or 2w';
const INSTANT_WORDS = 'a date or timestamp in UTC, such as 2026-12-31 or 2026-12-31T18:00:00Z';

const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** A point in time, either absolute or relative to now. */
export type Moment = { distanceMs: number } | { atMs: number };

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be an integer between ${min} and ${max}`);
  };
}

export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`must be one of ${words.join(', ')}`);
    return found;
  };

/** Accepts zero or more, with up to four decimals. */
export function amount(max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}(\.\d{1,4})?$/.test(text) ? Number(text) : NaN;
    if (value <= max) return value;
    throw new InvalidArgumentError(`must be a number between 0 and ${max}`);
  };
}

/** Accepts `default` for the configured limit. Keeps it as a string, because commander treats null as a missing value. */
export function orDefault(read: (text: string) => number): (text: string) => number | 'default' {
  return (text) => {
    if (text === 'default') return text;
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new InvalidArgumentError(`${error.message}, or "default"`);
    }
  };
}

/** Also accepts `none`, which means unlimited, as does 0. `override` converts both to null. */
export function foreverOr(read: (text: string) => number): (text: string) => number | 'default' {
  return (text) => {
    if (text === 'none') return 'default';
    try {
      return read(text) || 'default';
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new InvalidArgumentError(`${error.message}, or "none"`);
    }
  };
}

/** Converts a parsed option to its stored form: undefined changes nothing, null uses the configured limit. */
export const override = (limit: number | 'default' | undefined): number | null | undefined =>
  limit === 'default' ? null : limit;

/** Trims the text and checks that it isn't empty and fits in a line. */
export function label(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('must not be empty');
  if (trimmed.length > 200) throw new InvalidArgumentError('must be at most 200 characters long');
  if (trimmed.includes('\0')) throw new InvalidArgumentError('must not contain a NUL byte');
  return trimmed;
}

/** Parses comma-separated words and returns them in their usual order. */
export function someOf<Word extends string>(words: readonly Word[]): (text: string) => Word[] {
  return (text) => {
    const named = text.split(',').map((word) => word.trim());
    if (named.every((name) => words.some((word) => word === name)))
      return words.filter((word) => named.includes(word));
    throw new InvalidArgumentError(`must be one or more of ${words.join(',')}`);
  };
}

export function duration(text: string): number {
  return durationMs(text) ?? refuse(`must be ${DURATION_WORDS}`);
}

export function instant(text: string): number {
  return instantMs(text) ?? refuse(`must be ${INSTANT_WORDS}`);
}

export function moment(text: string): Moment {
  const distanceMs = durationMs(text);
  if (distanceMs !== null) return { distanceMs };
  const atMs = instantMs(text);
  return atMs === null ? refuse(`must be ${DURATION_WORDS}, or ${INSTANT_WORDS}`) : { atMs };
}

export const momentAhead = (when: Moment, now: number): number =>
  'atMs' in when ? when.atMs : now + when.distanceMs;

export const momentBehind = (when: Moment, now: number): number =>
  'atMs' in when ? when.atMs : now - when.distanceMs;

function durationMs(text: string): number | null {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  if (text === '0') return 0;
  const ms = Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? NaN);
  return ms <= MAX_DURATION_MS ? ms : null;
}

function instantMs(text: string): number | null {
  if (!DAY.test(text) && !INSTANT.test(text)) return null;
  const ms = Date.parse(text);
  // Date.parse reads 30 February as 2 March.
  const isReal =
    !Number.isNaN(ms) && new Date(`${text.slice(0, 10)}T00:00Z`).toISOString().startsWith(text.slice(0, 10));
  return isReal ? ms : null;
}

function refuse(words: string): never {
  throw new InvalidArgumentError(words);
}

export function mailAddress(text: string): string {
  if (isMailAddress(text)) return text;
  throw new InvalidArgumentError('must be one e-mail address');
}

/** Describes in a phrase what is wrong with a command line, without repeating typed values. */
export function optionFault({ message }: CommanderError): string {
  const text = message.replace(/^error: /, '').replace(/\n\(Did you mean [^]*$/, '');
  const missing = /^required option '(--[\w-]+)[^']*' not specified$/.exec(text);
  if (missing !== null) return `${missing[1]} is missing`;
  const option = /^option '(--[\w-]+)[^']*' argument '[^]*' is invalid\. ([^]*)$/.exec(text);
  if (option !== null) return `${option[1]} ${option[2]}`;
  const empty = /^option '(--[\w-]+)[^']*' argument missing$/.exec(text);
  if (empty !== null) return `${empty[1]} needs a value`;
  const both = /^option '(--[\w-]+)[^']*' cannot be used with option '(--[\w-]+)[^']*'$/.exec(text);
  if (both !== null) return `${both[1]} and ${both[2]} cannot be combined`;
  const argument = /^missing required argument '([\w-]+)'$/.exec(text);
  if (argument !== null) return `<${argument[1]}> is missing`;
  if (text.startsWith('too many arguments')) return 'Too many arguments';
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("'", '"');
}
