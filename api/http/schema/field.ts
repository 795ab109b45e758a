/**
 * One schema says what a value may be, what it means and which type it has. joi checks by it, the OpenAPI document is made from it, and
 * `ValueOf` is its TypeScript type, so that the three cannot disagree.
 */
import Joi from 'joi';

declare const VALUE: unique symbol;
declare const OPTIONAL: unique symbol;

/** A joi schema that knows the type of the value it answers. Required unless it is made `optional` or has a default. */
export type Field<T> = Joi.AnySchema & { readonly [VALUE]: T };
export type OptionalField<T> = Field<T> & { readonly [OPTIONAL]: true };

export type ValueOf<F> = F extends { readonly [VALUE]: infer T } ? T : never;

export type Fields = Readonly<Record<string, Field<unknown>>>;

type OptionalKey<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly [OPTIONAL]: true } ? K : never;
}[keyof F];

export type ObjectOf<F extends Fields> = { [K in Exclude<keyof F, OptionalKey<F>>]: ValueOf<F[K]> } & {
  [K in OptionalKey<F>]?: ValueOf<F[K]>;
};

/** Names the type that a joi schema leaves a value with; only the kinds of field in this folder and beside their resource call it. */
export const typed = <T>(schema: Joi.Schema): Field<T> => schema as Joi.AnySchema as Field<T>;

const typedOptional = <T>(schema: Joi.Schema): OptionalField<T> =>
  schema as Joi.AnySchema as OptionalField<T>;

export const optional = <T>(field: Field<T>): OptionalField<T> => typedOptional<T>(field.optional());

/** Left out, it has this value. */
export const defaulting = <T, const D>(field: Field<T>, value: D): Field<T | D> =>
  typed<T | D>(field.optional().default(value as Joi.BasicType));

export const nullable = <T>(field: Field<T>): Field<T | null> => typed<T | null>(field.allow(null));

/** What the document says of the field. */
export const about = <F extends Field<unknown>>(field: F, description: string, example?: unknown): F => {
  const described = field.description(description);
  return example === undefined ? described : described.example(example);
};

/** The document says that at least one of these is there. What an object without any is answered, its endpoint decides. */
export const atLeastOneOf = <F extends Field<unknown>>(schema: F, names: readonly string[]): F =>
  schema.meta({ jsonSchema: { anyOf: names.map((name) => ({ required: [name] })) } });

/** The document says that exactly one of these is there; its endpoint refuses what has none, or more. */
export const exactlyOneOf = <F extends Field<unknown>>(schema: F, names: readonly string[]): F =>
  schema.meta({ jsonSchema: { oneOf: names.map((name) => ({ required: [name] })) } });

export interface ObjectOptions {
  /** The schema's name in the document; objects without one are written out where they stand. */
  name?: string;
  description?: string;
  /** Keys that are not named are kept and may be anything. Otherwise input drops them and answers have none. */
  open?: boolean;
  /** Keys that are not named are refused, where to drop one would hide a mistake. */
  closed?: boolean;
}

export function object<F extends Fields>(fields: F, options: ObjectOptions = {}): Field<ObjectOf<F>> {
  let schema = Joi.object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, requiredUnlessSaid(field)])),
  );
  if (options.open === true) schema = schema.unknown(true);
  if (options.closed === true) schema = schema.unknown(false);
  if (options.description !== undefined) schema = schema.description(options.description);
  if (options.name !== undefined) schema = schema.meta({ name: options.name });
  return typed<ObjectOf<F>>(schema);
}

/** By joi's interface for extensions, as `describe()` checks what it returns: that took 0.3 s of the API's start. */
const requiredUnlessSaid = (field: Field<unknown>): Joi.Schema =>
  field.$_getFlag('presence') === 'optional' ? field : field.required();

export const list = <T>(item: Field<T>): Field<T[]> => typed<T[]>(Joi.array().items(item));

export const listOf = <T>(
  item: Field<T>,
  { least = 0, most }: { least?: number; most: number },
): Field<T[]> => typed<T[]>(Joi.array().items(item).min(least).max(most));

export const either = <A, B>(one: Field<A>, other: Field<B>): Field<A | B> =>
  typed<A | B>(Joi.alternatives().try(one, other));
