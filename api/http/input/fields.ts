/** Fields that arrive as text: in query strings, paths and forms. */
import Joi from 'joi';
import { isUuid } from '../../../domain/uuid';
import { about, defaulting, type Field, object, typed } from '../schema/field';
import { interpreted, type Interpretation } from '../schema/validate';
import { callNotFound } from '../errors/refusals';

/** Treats a value that isn't text, such as a repeated parameter, as empty text. */
const read = <T>(jsonSchema: object, interpret: (text: string) => Interpretation<T>): Field<T> =>
  interpreted<T>(jsonSchema, (given) => interpret(typeof given === 'string' ? given : ''));

/** Accepts decimal digits only, so `1e3`, ` 5 ` and `0x10` are rejected. */
export const digits = (min: number, max: number): Field<number> =>
  read<number>({ type: 'integer', minimum: min, maximum: max }, (text) => {
    if (!/^\d{1,15}$/.test(text)) return { rule: 'number.integer' };
    const number = Number(text);
    if (number < min) return { rule: 'number.min', limit: min };
    return number > max ? { rule: 'number.max', limit: max } : { value: number };
  });

/** Accepts the forms of JSON and of HTML number inputs, such as `5e-1` and `.5`. Rounds to six decimals. */
export const decimal = (min: number, max: number): Field<number> =>
  read<number>({ type: 'number', minimum: min, maximum: max }, (text) => {
    if (!/^-?(\d+|\d*\.\d+)(e[+-]?\d+)?$/i.test(text)) return { rule: 'number.base' };
    const number = Number(text);
    if (number < min) return { rule: 'number.min', limit: min };
    return number > max ? { rule: 'number.max', limit: max } : { value: Math.round(number * 1e6) / 1e6 };
  });

export const flag = (): Field<boolean> =>
  read<boolean>({ type: 'boolean' }, (text) => {
    const value = FLAGS.get(text.toLowerCase());
    return value === undefined ? { rule: 'boolean.base' } : { value };
  });

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Accepts both cases and returns lowercase. */
export const uuid = (): Field<string> =>
  read<string>({ type: 'string', format: 'uuid' }, (text) =>
    isUuid(text) ? { value: text.toLowerCase() } : { rule: 'string.guid' },
  );

const INSTANT_SCHEMA = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
    // A timestamp without a zone, for which JSON Schema has no format. The pattern allows only days up to the 28th, which every month has.
    {
      type: 'string',
      pattern: String.raw`^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?$`,
    },
  ],
  examples: ['2026-11-02', '2026-11-02T04:00:00.000Z'],
};

/** Accepts a date (midnight UTC) or a timestamp (UTC unless it has an offset). Returns ISO 8601 in UTC. */
export const instant = (): Field<string> =>
  read<string>(INSTANT_SCHEMA, (text) => {
    const value = readInstant(text);
    return value === null ? { rule: 'string.isoDate' } : { value };
  });

/** `page` and `page_size`. A `page_size` above the maximum is rejected, not clamped. */
export const paging = (size: { default: number; max: number }) => ({
  page: about(
    defaulting(digits(1, MAX_PAGE), 1),
    'Page number, starting at 1. Pages that start after the first 10,000 rows are rejected',
  ),
  page_size: about(defaulting(digits(1, size.max), size.default), 'Maximum number of items on a page'),
});

/** Far beyond any list, and small enough that the offset can't overflow. */
export const MAX_PAGE = 1_000_000_000;

export interface Paging {
  page: number;
  page_size: number;
}

export const pageOf = ({ page, page_size }: Paging): { limit: number; offset: number } => ({
  limit: page_size,
  offset: (page - 1) * page_size,
});

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Years must have four digits even after the offset is applied, because Postgres has no year 0 and ISO 8601 writes later years differently.
 */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns ISO 8601 in UTC, or null if the text is neither a date nor a timestamp. */
export function readInstant(text: string): string | null {
  // In a query string an unescaped + becomes a space.
  const match = INSTANT.exec(
    text.replace(/ (\d{2}:?\d{2})$/, (whole, zone: string) => (text.length > 19 ? `+${zone}` : whole)),
  );
  if (match === null) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  if (!isDate(`${year}-${month}-${day}`)) return null;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^(.\d{2}):?/, '$1:');
  const ms = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${offset}`,
  );
  return ms >= FIRST_MS && ms <= LAST_MS ? new Date(ms).toISOString() : null;
}

/** Returns true if the text is a calendar date in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // Date.parse would read 30 February as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** A malformed UUID is a 422; an unknown one is a 404. */
export const uuidParam = <Name extends string>(
  name: Name,
  description: string,
): Field<Record<Name, string>> =>
  object({ [name]: about(uuid(), description) }) as Field<Record<Name, string>>;

const CALL_ID = /^[A-Za-z0-9._-]{3,128}$/;

/** Accepts any text, because a malformed call id must be a 404, not a 422 (see `knownCallId`). */
export const callIdParam: Field<{ call_id: string }> = object({
  call_id: about(
    typed<string>(Joi.string().meta({ jsonSchema: { pattern: CALL_ID.source } })),
    'Identifier of the call',
  ),
});

/** @throws ApiError 404 if we can't have issued this id */
export function knownCallId(callId: string): string {
  if (!CALL_ID.test(callId)) throw callNotFound();
  return callId;
}
