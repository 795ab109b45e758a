import type Joi from 'joi';
import { isJsonObject } from '../../../domain/json';
import type { InputFault } from '../../http/errors/api-error';
import type { Field } from '../../http/schema/field';
import { MESSAGES } from '../../http/schema/messages';

const OPTIONS = { abortEarly: true, convert: false, errors: { label: false }, messages: MESSAGES } as const;

type Place = (string | number)[];

interface Search {
  faults: InputFault[];
  max: number;
}

/**
 * Returns up to `max` faults, at most one per field. joi stops at its first fault, because a body can have 20,000 faults and each takes 20
 * µs to find. The rest of the value is then validated field by field until enough faults are found.
 */
export function schemaFaults(
  schema: Field<unknown>,
  value: unknown,
  loc: readonly (string | number)[],
  max: number,
): InputFault[] {
  const search: Search = { faults: [], max };
  const first = faultOf(schema, value);
  if (first !== undefined) look(search, schema, value, [...loc], first.path);
  return search.faults;
}

const faultOf = (schema: Joi.Schema, value: unknown): Joi.ValidationErrorItem | undefined =>
  // A value can break several rules, but one message is enough.
  schema.validate(value, OPTIONS).error?.details[0];

/** `first` is the path of joi's first fault. joi validates in order, so everything before that path is valid. */
function look(search: Search, schema: Joi.Schema, value: unknown, place: Place, first: Place): void {
  const fields = isJsonObject(value) ? fieldsOf(schema) : null;
  const entry = Array.isArray(value) ? entryOf(schema) : null;
  if (isJsonObject(value) && fields !== null) visitFields(search, fields, value, place, first);
  else if (Array.isArray(value) && entry !== null) visitEntries(search, entry, value, place, first);
  else {
    const fault = faultOf(schema, value);
    if (fault === undefined) return;
    search.faults.push({ loc: [...place, ...fault.path], msg: fault.message, type: fault.type });
  }
}

function visitFields(
  search: Search,
  fields: readonly [string, Joi.Schema][],
  value: object,
  place: Place,
  [firstKey, ...inner]: Place,
): void {
  const from = Math.max(
    0,
    fields.findIndex(([key]) => key === firstKey),
  );
  for (const [key, field] of fields.slice(from)) {
    if (search.faults.length >= search.max) return;
    look(search, field, ownValue(value, key), [...place, key], key === firstKey ? inner : []);
  }
}

function visitEntries(
  search: Search,
  entry: Joi.Schema,
  list: readonly unknown[],
  place: Place,
  [firstIndex]: Place,
): void {
  for (let index = typeof firstIndex === 'number' ? firstIndex : 0; index < list.length; index += 1) {
    if (search.faults.length >= search.max) return;
    const fault = faultOf(entry, list[index]);
    if (fault !== undefined) look(search, entry, list[index], [...place, index], fault.path);
  }
}

const ownValue = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;

/** joi's extension API. `extract` can't reach the entries of an array. */
interface Terms {
  keys?: { key: string; schema: Joi.Schema }[] | null;
  items?: Joi.Schema[] | null;
}

const termsOf = (schema: Joi.Schema): Terms => schema.$_terms as Terms;

function fieldsOf(schema: Joi.Schema): [string, Joi.Schema][] | null {
  const { keys } = termsOf(schema);
  return keys === undefined || keys === null ? null : keys.map((one) => [one.key, one.schema]);
}

/** Returns null if the entries can be anything. */
function entryOf(schema: Joi.Schema): Joi.Schema | null {
  const [entry] = termsOf(schema).items ?? [];
  return entry ?? null;
}
