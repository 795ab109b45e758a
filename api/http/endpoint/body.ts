import type Joi from 'joi';
import type { JsonObject } from '../../../domain/json';
import type { InputFault } from '../errors/api-error';
import { jsonBody } from '../input/json-body';
import { check } from '../input/validate';
import type { Field } from '../schema/field';
import type { ApiContext } from './context';

export type Reading<T> = { value: T } | { faults: InputFault[] };

export interface RequestExample {
  summary: string;
  /** Fields of the body. For a form with a file, also the file's name and text. */
  value: JsonObject;
}

/** How an endpoint reads its body. */
export interface Body<T> {
  /** Schemas for the OpenAPI document, by content type. */
  content: Readonly<Record<string, Joi.Schema>>;
  /** Content types of a form's files, by field. */
  encoding?: JsonObject;
  /** Examples by name. Tests send each one to the running service. */
  examples: Readonly<Record<string, RequestExample>>;
  /** Throws for a bad size or content type, returns faults for bad fields. */
  read: (ctx: ApiContext) => Promise<Reading<T>>;
}

export interface JsonBodyOptions {
  examples?: Body<unknown>['examples'];
  /** Maximum number of values at any depth, if the default is too low. */
  maxValues?: number;
  /** Maximum size, if 1 MiB is too small. */
  maxBytes?: number;
}

/** A JSON object. Fields that aren't in the schema are dropped. */
export function json<T>(schema: Field<T>, { examples = {}, ...bounds }: JsonBodyOptions = {}): Body<T> {
  return {
    content: { 'application/json': schema },
    examples,
    read: async (ctx) => check(schema, await jsonBody(ctx, bounds), 'body'),
  };
}
