import type Joi from 'joi';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { MAXIMA } from '../../../domain/agent-config/maxima';
import type { Notation } from '../schema/kinds';

/** Named schemas collected so far. */
export type Components = Record<string, JsonObject>;

/**
 * Returns joi's JSON Schema (draft 2020-12, as in OpenAPI 3.1) and adds what joi omits: rules that are checked by code, set with `meta({
 * jsonSchema })`; `null` in enums; examples; references to schemas with a `meta({ name })`.
 */
export function jsonSchemaOf(schema: Joi.Schema, components: Components): JsonObject {
  return overlaid(schema.describe(), joiSchemaOf(schema), components);
}

function joiSchemaOf(schema: Joi.Schema): JsonObject {
  const converted: unknown = schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  if (!isJsonObject(converted)) throw new Error('joi made no JSON Schema');
  return converted;
}

function overlaid(described: Joi.Description, plain: JsonObject, components: Components): JsonObject {
  const metas = metasOf(described);
  const schema: JsonObject = { ...withoutDefinitions(plain), ...withExamples(described) };
  addNull(schema);
  addProperties(schema, described, components);
  addItems(schema, described, components);
  addAlternatives(schema, described, components);
  for (const meta of metas) if (isJsonObject(meta.jsonSchema)) Object.assign(schema, meta.jsonSchema);
  const name = metas.map((meta) => meta.name).find((value) => typeof value === 'string');
  return name === undefined ? schema : referenced(schema, name, components);
}

/** A nullable named schema becomes a union of the reference and null, so that the component itself isn't nullable. */
function referenced(schema: JsonObject, name: string, components: Components): JsonObject {
  const { type } = schema;
  const isNullable = Array.isArray(type) && type.includes('null');
  components[name] = isNullable ? { ...schema, type: type.filter((one) => one !== 'null')[0] } : schema;
  const reference = { $ref: `#/components/schemas/${name}` };
  return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
}

const metasOf = (described: Joi.Description): JsonObject[] =>
  (Array.isArray(described.metas) ? described.metas : []).filter(isJsonObject);

function withoutDefinitions(plain: JsonObject): JsonObject {
  const { $defs: _definitions, $schema: _dialect, ...rest } = plain;
  return rest;
}

function withExamples(described: Joi.Description): JsonObject {
  const examples: unknown = described.examples;
  return Array.isArray(examples) && examples.length > 0 ? { examples } : {};
}

function addNull(schema: JsonObject): void {
  const { type } = schema;
  if (!Array.isArray(type) || !type.includes('null') || !Array.isArray(schema.enum)) return;
  if (!schema.enum.includes(null)) schema.enum = [...(schema.enum as unknown[]), null];
}

function addProperties(schema: JsonObject, described: Joi.Description, components: Components): void {
  const keys: unknown = described.keys;
  if (!isJsonObject(keys) || !isJsonObject(schema.properties)) return;
  const { properties } = schema;
  schema.properties = Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [
      name,
      overlaid(asDescription(key), asObject(properties[name]), components),
    ]),
  );
}

function addItems(schema: JsonObject, described: Joi.Description, components: Components): void {
  const items: unknown = described.items;
  if (!Array.isArray(items) || items.length !== 1 || !isJsonObject(schema.items)) return;
  schema.items = overlaid(asDescription(items[0]), schema.items, components);
}

function addAlternatives(schema: JsonObject, described: Joi.Description, components: Components): void {
  const matches: unknown = described.matches;
  if (!Array.isArray(matches) || !Array.isArray(schema.anyOf)) return;
  const { anyOf } = schema;
  schema.anyOf = matches.map((match: unknown, index) =>
    overlaid(asDescription(asObject(match).schema), asObject(anyOf[index]), components),
  );
}

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** joi types the nested parts of a description as `any`. */
const asDescription = (value: unknown): Joi.Description => asObject(value);

/** Forms also reject U+FFFD, which the decoder writes for bytes that aren't UTF-8. */
const TEXTS = { json: '^[^\\u0000]*$', form: '^[^\\u0000\\ufffd]*$' } as const satisfies Record<
  Notation,
  string
>;

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Applies the rules to a value and to everything inside it. */
const holding = (inside: JsonObject): JsonObject => ({
  pattern: TEXTS.json,
  propertyNames: ref('Key'),
  items: inside,
  additionalProperties: inside,
});

const COMPONENTS: Components = {
  Key: {
    description: 'A key chosen by the API client, without unpaired surrogates',
    type: 'string',
    maxLength: MAXIMA.key,
    pattern: TEXTS.json,
    not: { enum: ['__proto__', 'constructor', 'prototype'] },
  },
  // Describes three of the 32 allowed levels, because a recursive schema keeps request generators busy for minutes.
  // `verify/schemathesis/hooks.py` filters out what is rejected at deeper levels.
  Json: {
    description:
      'Any JSON. At every level, texts and keys hold no NUL and no unpaired surrogate, no key is `__proto__`, `constructor` or `prototype`, ' +
      'and integers have no more digits than a double can hold',
    ...holding(holding({ pattern: TEXTS.json })),
  },
};

/** Extra form fields are ignored. Uses a lookahead because schemathesis fails on `not` beside a file. */
const FORM_EXTRAS = {
  propertyNames: { pattern: '^(?!(constructor|prototype)$)[A-Za-z][A-Za-z0-9_]{0,62}$' },
  additionalProperties: { type: 'string', pattern: TEXTS.form },
};

/**
 * Adds the rules for every part of a body, including unknown fields: no NUL, which Postgres can't store, and no keys that reach an object's
 * prototype. Unpaired surrogates are rejected too, but no pattern for them works in all regex engines. Changes the schema and everything
 * that it references in place, each component only once.
 */
export function restrictToStorable(schema: JsonObject, notation: Notation, components: Components): void {
  Object.assign(components, COMPONENTS);
  const seen = new Set<string>(Object.keys(COMPONENTS));
  restrict(schema, { notation, components, seen });
}

interface Walk {
  notation: Notation;
  components: Components;
  seen: Set<string>;
}

function restrict(schema: JsonObject, walk: Walk): void {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const target = walk.components[name];
    if (walk.seen.has(name) || target === undefined) return;
    walk.seen.add(name);
    restrict(target, walk);
    return;
  }
  for (const part of innerSchemas(schema)) restrict(part, walk);
  const types = [schema.type].flat();
  if (types.includes('string')) restrictText(schema, walk.notation);
  if (types.includes('object')) restrictKeys(schema, walk.notation);
  if (types.includes('array')) schema.items ??= ref('Json');
  if (isAnything(schema)) Object.assign(schema, ref('Json'));
}

function innerSchemas({ properties, anyOf, items }: JsonObject): JsonObject[] {
  return [
    ...(isJsonObject(properties) ? Object.values(properties) : []),
    ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : []),
    items,
  ].filter(isJsonObject);
}

function restrictText(schema: JsonObject, notation: Notation): void {
  if (['pattern', 'format', 'enum', 'const'].every((keyword) => schema[keyword] === undefined))
    schema.pattern = TEXTS[notation];
}

function restrictKeys(schema: JsonObject, notation: Notation): void {
  if (schema.additionalProperties === false) return;
  const extras =
    notation === 'form' ? FORM_EXTRAS : { propertyNames: ref('Key'), additionalProperties: ref('Json') };
  Object.assign(schema, extras);
}

/** True for a schema that allows anything and isn't part of a choice of required fields. */
const isAnything = (schema: JsonObject): boolean =>
  ['type', 'anyOf', 'enum', 'const', 'required', '$ref'].every((keyword) => schema[keyword] === undefined);
