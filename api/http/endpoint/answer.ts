import type { Readable } from 'node:stream';
import type Joi from 'joi';
import type { Field } from '../schema/field';

declare const BODY: unique symbol;

/** The successful response of an endpoint. */
export interface Answer<T> {
  readonly [BODY]?: T;
  status: number;
  description: string;
  /** Description of a 206 response to a Range request, if the endpoint supports ranges. */
  part?: string;
  /** Schemas by content type. Null if the content is a file. */
  content: Readonly<Record<string, Joi.Schema | null>>;
  /** True if `present` returns a stream that already is JSON. */
  isJsonStream?: true;
  /** Example for the first content type. Tests check it against the schema. */
  example?: unknown;
}

/** JSON that is serialized while it is sent, so that a long response is never in memory as a whole. */
export type JsonStream<T> = Readable & { readonly [BODY]?: T };

export interface AnswerOptions {
  /** Default: 200. */
  status?: number;
  example?: unknown;
}

export function answers<T>(
  description: string,
  schema: Field<T>,
  { status = 200, example }: AnswerOptions = {},
): Answer<T> {
  return {
    status,
    description,
    content: { 'application/json': schema },
    ...(example === undefined ? {} : { example }),
  };
}

export const answersNothing = (description: string): Answer<null> => ({
  status: 204,
  description,
  content: {},
});

/** Like `answers`, for long responses that are streamed. */
export function answersInPieces<T>(description: string, schema: Field<T>): Answer<JsonStream<T>> {
  return { status: 200, description, content: { 'application/json': schema }, isJsonStream: true };
}

/** Server-sent events. The schema describes the data of each event. */
export const answersEvents = (description: string, schema: Joi.Schema): Answer<Readable> => ({
  status: 200,
  description,
  content: { 'text/event-stream': schema },
});

export function answersFile(description: string, ...types: string[]): Answer<Buffer | Readable | string> {
  return { status: 200, description, content: Object.fromEntries(types.map((type) => [type, null])) };
}

/** A file that supports Range requests. */
export function answersRanges(description: string, ...types: string[]): Answer<Readable> {
  const content = Object.fromEntries(types.map((type) => [type, null]));
  return { status: 200, description, part: `${description}: the part that Range names`, content };
}

/** JSON by default, plain text if the client requests it. */
export function answersJsonOrText<T>(description: string, schema: Field<T>): Answer<T | string> {
  return { status: 200, description, content: { 'application/json': schema, 'text/plain': null } };
}
