/**
 * A single schema defines a value's rules, description and type. joi validates with it, the OpenAPI document is generated from it, and `ValueOf`
 * derives the TypeScript type, so the three always agree.
 */
import Joi from 'joi';

declare const VALUE: unique symbol;
declare const OPTIONAL: unique symbol;

/** A joi schema with the type of its validated value. Required unless it is `optional` or has a default. */
export type Field<T> = Joi.AnySchema & { readonly [VALUE]: T };
export type OptionalField<T> = Field<T> & { readonly [OPTIONAL]: true };

export type ValueOf<F> = F extends { readonly [VALUE]: infer T } ? T : never;

export type Fields = Readonly<Record<string, Field<unknown>>>;

type OptionalKey<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly [OPTIONAL]: true } ? K : never;
}[keyof F];

type ObjectOf<F extends Fields> = { [K in Exclude<keyof F, OptionalKey<F>>]: ValueOf<F[K]> } & {
  [K in OptionalKey<F>]?: ValueOf<F[K]>;
};

/** Declares the type of a joi schema's value. Call it only where a kind of field is defined. */
export const typed = <T>(schema: Joi.Schema): Field<T> => schema as Joi.AnySchema as Field<T>;

const typedOptional = <T>(schema: Joi.Schema): OptionalField<T> =>
  schema as Joi.AnySchema as OptionalField<T>;

export const optional = <T>(field: Field<T>): OptionalField<T> => typedOptional<T>(field.optional());

/** Uses `value` when the field is missing. */
export const defaulting = <T, const D>(field: Field<T>, value: D): Field<T | D> =>
  typed<T | D>(field.optional().default(value as Joi.BasicType));

export const nullable = <T>(field: Field<T>): Field<T | null> => typed<T | null>(field.allow(null));

/** Sets the field's description in the OpenAPI document. */
export const about = <F extends Field<unknown>>(field: F, description: string, example?: unknown): F => {
  const described = field.description(description);
  return example === undefined ? described : described.example(example);
};

/** Documents that at least one of these fields is required. The endpoint checks it. */
export const atLeastOneOf = <F extends Field<unknown>>(schema: F, names: readonly string[]): F =>
  schema.meta({ jsonSchema: { anyOf: names.map((name) => ({ required: [name] })) } });

/** Documents that exactly one of these fields is required. The endpoint checks it. */
export const exactlyOneOf = <F extends Field<unknown>>(schema: F, names: readonly string[]): F =>
  schema.meta({ jsonSchema: { oneOf: names.map((name) => ({ required: [name] })) } });

interface ObjectOptions {
  /** Name of the component in the OpenAPI document. Objects without one are inlined. */
  name?: string;
  description?: string;
  /** Keeps unknown keys with any value. By default input drops them and output has none. */
  open?: boolean;
  /** Rejects unknown keys, for objects where dropping one would hide a mistake. */
  closed?: boolean;
}

export function object<F extends Fields>(fields: F, options: ObjectOptions = {}): Field<ObjectOf<F>> {
  let schema = Joi.object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, requiredUnlessOptional(field)])),
  );
  if (options.open === true) schema = schema.unknown(true);
  if (options.closed === true) schema = schema.unknown(false);
  if (options.description !== undefined) schema = schema.description(options.description);
  if (options.name !== undefined) schema = schema.meta({ name: options.name });
  return typed<ObjectOf<F>>(schema);
}

/** Uses joi's extension API because `describe()` validates its own result, which made the API start 0.3 s later. */
const requiredUnlessOptional = (field: Field<unknown>): Joi.Schema =>
  field.$_getFlag('presence') === 'optional' ? field : field.required();

export const list = <T>(item: Field<T>): Field<T[]> => typed<T[]>(Joi.array().items(item));

export const listOf = <T>(item: Field<T>, { min = 0, max }: { min?: number; max: number }): Field<T[]> =>
  typed<T[]>(Joi.array().items(item).min(min).max(max));

export const either = <A, B>(one: Field<A>, other: Field<B>): Field<A | B> =>
  typed<A | B>(Joi.alternatives().try(one, other));
