/** The request's schema of an agent's configuration, from its tables. Types are JSON's: nothing is converted. */
import Joi from 'joi';
import { shownDefaultOf } from '../../domain/agent-config/defaults';
import { PATTERNS } from '../../domain/agent-config/forms';
import type {
  GroupRow,
  NumberRow,
  Row,
  Section,
  SentOf,
  Table,
  TextRow,
} from '../../domain/agent-config/rows';
import type { JsonObject } from '../../domain/json';
import { nullable, object, optional, typed, type Field, type Fields } from './schema/field';
import * as kinds from './schema/kinds';

/** A whole section. Null stands for nothing here: its endpoints decide what that means. */
export const schemaOf = <T extends Table>({ name, does, rows }: Section<T>): Field<SentOf<GroupRow<T>>> =>
  typed(object(fieldsOf(rows), { name, description: does, open: true }));

/** Each may be left out, and takes `null`, which puts the field's default back; objects keep keys they do not know. */
function fieldsOf(rows: Table): Fields {
  const checked = Object.entries(rows).filter(([, row]) => row.isUnchecked !== true);
  return Object.fromEntries(
    checked.map(([key, row]) => {
      const field = withDefault(fieldOf(row).description(aboutOf(row)), row);
      return [key, row.required === true ? typed(field) : optional(nullable(typed(field)))];
    }),
  );
}

/** For readers of the document: nothing is filled in, so that what is not sent follows the table also when its default changes. */
function withDefault(field: Joi.Schema, row: Row): Joi.Schema {
  const value = shownDefaultOf(row);
  return value === null || !isSendable(row, value) ? field : field.meta({ jsonSchema: { default: value } });
}

/** Generators of clients refuse a default that the schema does not allow, such as half a second where requests have whole ones. */
const isSendable = (row: Row, value: unknown): boolean =>
  row.kind !== 'number' || !row.isWhole || Number.isInteger(value);

const UNITS: Record<NumberRow['unit'], string> = {
  ms: '. In milliseconds',
  s: '. In seconds',
  min: '. In minutes',
  tokens: '. In tokens',
  share: '',
};

function aboutOf(row: Row): string {
  if (row.kind !== 'number') return row.does;
  const value = shownDefaultOf(row);
  const unset = value === null || isSendable(row, value) ? '' : `. ${String(value)} unless set`;
  return `${row.does}${UNITS[row.unit]}${unset}`;
}

function fieldOf(row: Row): Joi.Schema {
  switch (row.kind) {
    case 'group':
    case 'item':
      return object(fieldsOf(row.rows), { open: true });
    case 'map':
    case 'text map':
    case 'shape':
    case 'shape map':
      return kinds.freeObject(row.most);
    case 'list':
      return Joi.array().items(entryOf(row.entry)).max(row.most);
    case 'any':
      return Joi.any();
    case 'flag':
      return kinds.flag();
    case 'number': {
      // joi takes no larger number.
      const most = row.above === 'refused' ? row.most : Number.MAX_SAFE_INTEGER;
      return row.isWhole ? kinds.integer(row.least, most) : kinds.number(row.least, most);
    }
    case 'choice':
      return kinds.oneOf(...row.values);
    case 'word':
      return words(row.most);
    case 'text':
      return textOf(row);
  }
}

/** Of plain texts the list is described, not the entry. */
function entryOf(entry: Row | null): Joi.Schema {
  if (entry === null || entry.isUnchecked === true) return Joi.any();
  const isPlain = entry.kind === 'text' && entry.form === 'any';
  const field = entry.kind === 'text' && entry.form === 'e164' ? kinds.phoneNumber() : fieldOf(entry);
  return isPlain ? field : field.description(aboutOf(entry));
}

function textOf({ form, most }: TextRow): Joi.Schema {
  switch (form) {
    case 'any':
      return words(most);
    case 'item_name':
      // It becomes a key of the answers, so it must be safe as one.
      return kinds.atMost(Joi.string(), most).invalid('__proto__', 'constructor', 'prototype');
    case 'e164':
      return orEmpty(kinds.phoneNumber(), { pattern: `^$|${PATTERNS.e164.source}` });
    case 'socket_url':
      return orEmpty(
        kinds
          .atMost(Joi.string(), most)
          .pattern(PATTERNS.socket_url)
          .messages({ 'string.pattern.base': 'must be an address with wss://, without a user name' }),
        { pattern: `^$|${PATTERNS.socket_url.source}`, maxLength: most },
      );
    case 'token':
      return orEmpty(
        kinds
          .atMost(Joi.string(), most)
          .pattern(PATTERNS.token)
          .messages({ 'string.pattern.base': 'must be printable ASCII without blanks' }),
        { pattern: PATTERNS.token.source, maxLength: most },
      );
  }
}

/** How long it may be is checked with the other maxima, before joi sees the value: see `limits.ts` of the tables. */
const words = (most: number): Joi.Schema =>
  Joi.string()
    .allow('')
    .meta({ jsonSchema: { maxLength: most } });

/** joi's own JSON Schema knows of the empty text only as a value beside the pattern. */
const orEmpty = (schema: Joi.StringSchema, jsonSchema: JsonObject): Joi.Schema =>
  schema.allow('').meta({ jsonSchema: { type: ['string', 'null'], ...jsonSchema } });
