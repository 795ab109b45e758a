import Joi from 'joi';

/** The kinds of field that come as text: in query strings, paths and forms. */

/** Decimal digits only: `1e3`, ` 5 ` and `0x10` are text, whatever a number parser thinks of them. */
export const digits = (least: number, most: number): Joi.Schema =>
  Joi.any().custom((value: unknown, helpers) => {
    if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) {
      return helpers.message({ custom: 'must be an integer' });
    }
    const number = Number(value);
    if (number < least) return helpers.message({ custom: `must be at least ${least}` });
    if (number > most) return helpers.message({ custom: `must be at most ${most}` });
    return number;
  });

export const flag = (): Joi.Schema =>
  Joi.any().custom((value: unknown, helpers) => {
    const flag = typeof value === 'string' ? FLAGS.get(value.toLowerCase()) : undefined;
    return flag ?? helpers.message({ custom: 'must be true or false' });
  });

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** In any case, read as lower. */
export const uuid = (): Joi.Schema =>
  Joi.string().custom((text: string, helpers) =>
    UUID.test(text) ? text.toLowerCase() : helpers.message({ custom: 'must be a UUID' }),
  );

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A date, which is its midnight UTC, or a timestamp, which is UTC unless it says otherwise. Read as ISO 8601 UTC. */
export const instant = (): Joi.Schema =>
  Joi.any().custom((value: unknown, helpers) => {
    const read = typeof value === 'string' ? readInstant(value) : null;
    return read ?? helpers.message({ custom: 'must be a date or an ISO 8601 timestamp' });
  });

function readInstant(text: string): string | null {
  // In a query string a bare + is a blank.
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
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // 30 February would come out as a day of March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** `page` and `page_size`. Over the maximum is refused, not clamped. */
export const paging = (size: {
  default: number;
  most: number;
}): { page: Joi.Schema; page_size: Joi.Schema } => ({
  page: digits(1, MAX_PAGE).default(1),
  page_size: digits(1, size.most).default(size.default),
});

/** Far beyond any list, and far below where an offset would overflow. */
export const MAX_PAGE = 1_000_000_000;

export interface Paging {
  page: number;
  page_size: number;
}

export const pageOf = ({ page, page_size }: Paging): { limit: number; offset: number } => ({
  limit: page_size,
  offset: (page - 1) * page_size,
});
