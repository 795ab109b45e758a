/**
 * Adds to the schemas what every part of a body must lack, also unknown fields: NUL, which Postgres does not store, and keys that reach an
 * object's prototype. Unpaired surrogates are refused too, but no pattern for them works in every engine of regular expressions.
 */
import { MAXIMA } from '../../../domain/agent-config/maxima';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import type { Notation } from '../schema/kinds';
import type { Components } from './json-schema';

/** A form's text is refused with U+FFFD in it, which stands for bytes that are no UTF-8. */
const TEXTS = { json: '^[^\\u0000]*$', form: '^[^\\u0000\\ufffd]*$' } as const satisfies Record<
  Notation,
  string
>;

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** What holds for a value holds for what is in it. */
const holding = (inside: JsonObject): JsonObject => ({
  pattern: TEXTS.json,
  propertyNames: ref('Key'),
  items: inside,
  additionalProperties: inside,
});

const COMPONENTS: Components = {
  Key: {
    description: 'A key of the client’s own, without an unpaired surrogate',
    type: 'string',
    maxLength: MAXIMA.key,
    pattern: TEXTS.json,
    not: { enum: ['__proto__', 'constructor', 'prototype'] },
  },
  // Three levels deep, of the 32 that there may be: a schema that refers to itself keeps generators of requests busy for minutes. So
  // `verify/schemathesis/hooks.py` leaves out what is refused further down.
  Json: {
    description:
      'Any JSON; however deep, no text or key holds a NUL or an unpaired surrogate, no key is `__proto__`, `constructor` or `prototype`, ' +
      'and no integer has more digits than a double keeps',
    ...holding(holding({ pattern: TEXTS.json })),
  },
};

/** Keys that a form may have beside its own, which are ignored. Without `not`, at which schemathesis fails beside a file. */
const FORM_EXTRAS = {
  propertyNames: { pattern: '^(?!(constructor|prototype)$)[A-Za-z][A-Za-z0-9_]{0,62}$' },
  additionalProperties: { type: 'string', pattern: TEXTS.form },
};

/** Adds it to the schema, in place, and to what it refers to; each component once. */
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

/** Says nothing of what it takes, and is no part of a choice of required fields. */
const isAnything = (schema: JsonObject): boolean =>
  ['type', 'anyOf', 'enum', 'const', 'required', '$ref'].every((keyword) => schema[keyword] === undefined);
