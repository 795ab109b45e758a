import type Joi from 'joi';
import { isJsonObject, type JsonObject } from '../../../domain/json';

/** Named schemas collected so far. */
export type Components = Record<string, JsonObject>;

/**
 * Returns joi's JSON Schema (draft 2020-12, as in OpenAPI 3.1) and adds what joi omits: rules that are checked by code, given as `meta({
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
