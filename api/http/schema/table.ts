/** Builds the request schema of an agent's configuration from its tables. Values are never converted between JSON types. */
import Joi from 'joi';
import { PATTERNS } from '../../../domain/agent-config/forms';
import {
  type GroupRow,
  type NumberRow,
  type Row,
  type Section,
  type SentOf,
  type Table,
  type TextRow,
  shownDefaultOf,
} from '../../../domain/agent-config/rows';
import type { JsonObject } from '../../../domain/json';
import { nullable, object, optional, typed, type Field, type Fields } from './field';
import * as kinds from './kinds';

/** Schema of a whole section. It doesn't allow null; the endpoints decide what null means. */
export const schemaOf = <T extends Table>({
  name,
  description,
  rows,
}: Section<T>): Field<SentOf<GroupRow<T>>> =>
  typed(object(fieldsOf(rows), { name, description, open: true }));

/** Every field is optional, and `null` restores its default. Objects keep unknown keys. */
function fieldsOf(rows: Table): Fields {
  const checked = Object.entries(rows).filter(([, row]) => row.isUnchecked !== true);
  return Object.fromEntries(
    checked.map(([key, row]) => {
      const field = withDefault(fieldOf(row).description(aboutOf(row)), row);
      return [key, row.required === true ? typed(field) : optional(nullable(typed(field)))];
    }),
  );
}

/** Documents the default but doesn't fill it in, so that a later change of the default also applies to unset fields. */
function withDefault(field: Joi.Schema, row: Row): Joi.Schema {
  const value = shownDefaultOf(row);
  return value === null || !isSendable(row, value) ? field : field.meta({ jsonSchema: { default: value } });
}

/** Client generators reject a default that the schema doesn't allow, such as 0.5 for an integer. */
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
  if (row.kind !== 'number') return row.description;
  const value = shownDefaultOf(row);
  const unset = value === null || isSendable(row, value) ? '' : `. ${String(value)} unless set`;
  return `${row.description}${UNITS[row.unit]}${unset}`;
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
      return kinds.freeObject(row.max);
    case 'list':
      return Joi.array().items(entryOf(row.entry)).max(row.max);
    case 'any':
      return Joi.any();
    case 'flag':
      return kinds.flag();
    case 'number': {
      // joi accepts no larger limit.
      const max = row.above === 'refused' ? row.max : Number.MAX_SAFE_INTEGER;
      return row.isWhole ? kinds.integer(row.min, max) : kinds.number(row.min, max);
    }
    case 'choice':
      return kinds.oneOf(...row.values);
    case 'word':
      return words(row.max);
    case 'text':
      return textOf(row);
  }
}

/** In a list of plain texts, the list has the description, not the entry. */
function entryOf(entry: Row | null): Joi.Schema {
  if (entry === null || entry.isUnchecked === true) return Joi.any();
  const isPlain = entry.kind === 'text' && entry.form === 'any';
  const field = entry.kind === 'text' && entry.form === 'e164' ? kinds.phoneNumber() : fieldOf(entry);
  return isPlain ? field : field.description(aboutOf(entry));
}

function textOf({ form, max }: TextRow): Joi.Schema {
  switch (form) {
    case 'any':
      return words(max);
    case 'item_name':
      // The name becomes a key of the results, so it must be a safe object key.
      return kinds.atMost(Joi.string(), max).invalid('__proto__', 'constructor', 'prototype');
    case 'e164':
      return orEmpty(kinds.phoneNumber(), { pattern: `^$|${PATTERNS.e164.source}` });
    case 'socket_url':
      return orEmpty(
        kinds
          .atMost(Joi.string(), max)
          .pattern(PATTERNS.socket_url)
          .messages({ 'string.pattern.base': 'must be a wss:// URL without a user name' }),
        { pattern: `^$|${PATTERNS.socket_url.source}`, maxLength: max },
      );
    case 'token':
      return orEmpty(
        kinds
          .atMost(Joi.string(), max)
          .pattern(PATTERNS.token)
          .messages({ 'string.pattern.base': 'must be printable ASCII without spaces' }),
        { pattern: PATTERNS.token.source, maxLength: max },
      );
  }
}

/** `maxLength` is only documented here. The tables' limits are enforced before joi checks the value. */
const words = (max: number): Joi.Schema =>
  Joi.string()
    .allow('')
    .meta({ jsonSchema: { maxLength: max } });

/** joi's JSON Schema allows the empty string but keeps the pattern, which rejects it. */
const orEmpty = (schema: Joi.StringSchema, jsonSchema: JsonObject): Joi.Schema =>
  schema.allow('').meta({ jsonSchema: { type: ['string', 'null'], ...jsonSchema } });
