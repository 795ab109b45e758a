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
  /** The body's fields; for a form that takes a file, the file's name and text. */
  value: JsonObject;
}

/** How an endpoint takes its body. */
export interface Body<T> {
  /** What the document says: one schema for each content type. */
  content: Readonly<Record<string, Joi.Schema>>;
  /** How a form's files are sent, by field. */
  encoding?: JsonObject;
  /** By name. Every one is tried against the running service by the tests. */
  examples: Readonly<Record<string, RequestExample>>;
  /** Throws what concerns size and content type, answers what concerns fields. */
  read: (ctx: ApiContext) => Promise<Reading<T>>;
}

export interface JsonBodyOptions {
  examples?: Body<unknown>['examples'];
  /** Most values, at any depth, where the usual is too few. */
  mostValues?: number;
  /** Most bytes, where 1 MiB is too many. */
  mostBytes?: number;
}

/** A JSON object. Fields that the schema does not name are dropped. */
export function json<T>(schema: Field<T>, { examples = {}, ...bounds }: JsonBodyOptions = {}): Body<T> {
  return {
    content: { 'application/json': schema },
    examples,
    read: async (ctx) => check(schema, await jsonBody(ctx, bounds), 'body'),
  };
}
