/**
 * Adds the rules for every part of a body, including unknown fields: no NUL, which Postgres can't store, and no keys that reach an object's
 * prototype. Unpaired surrogates are rejected too, but no pattern for them works in all regex engines.
 */
import { MAXIMA } from '../../../domain/agent-config/maxima';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import type { Notation } from '../schema/kinds';
import type { Components } from './json-schema';

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

/** Restricts the schema and everything that it references, in place. Restricts each component only once. */
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
