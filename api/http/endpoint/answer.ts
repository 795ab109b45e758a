import type { Readable } from 'node:stream';
import type Joi from 'joi';
import type { Field } from '../schema/field';

declare const BODY: unique symbol;

/** What an endpoint answers when it succeeds. */
export interface Answer<T> {
  readonly [BODY]?: T;
  status: number;
  description: string;
  /** What is answered with 206 to a Range, in the same content types; absent where parts cannot be had. */
  part?: string;
  /** The content types it may have; one without a schema is a file. */
  content: Readonly<Record<string, Joi.Schema | null>>;
  /** What `present` builds is JSON already. */
  isJsonStream?: true;
  /** Of the first content type; held against its schema by the tests. */
  example?: unknown;
}

/** JSON that is written while it is read, so that no more of it is in memory than the client has not taken yet. */
export type JsonStream<T> = Readable & { readonly [BODY]?: T };

export interface AnswerOptions {
  /** 200 unless given. */
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

/** As `answers`, of something long. */
export function answersInPieces<T>(description: string, schema: Field<T>): Answer<JsonStream<T>> {
  return { status: 200, description, content: { 'application/json': schema }, isJsonStream: true };
}

/** Server-sent events. The schema is that of the data of each. */
export const answersEvents = (description: string, schema: Joi.Schema): Answer<Readable> => ({
  status: 200,
  description,
  content: { 'text/event-stream': schema },
});

export function answersFile(description: string, ...types: string[]): Answer<Buffer | Readable | string> {
  return { status: 200, description, content: Object.fromEntries(types.map((type) => [type, null])) };
}

/** A file of which parts can be had. */
export function answersRanges(description: string, ...types: string[]): Answer<Readable> {
  const content = Object.fromEntries(types.map((type) => [type, null]));
  return { status: 200, description, part: `${description}: the part that Range names`, content };
}

/** JSON unless text is asked for. */
export function answersJsonOrText<T>(description: string, schema: Field<T>): Answer<T | string> {
  return { status: 200, description, content: { 'application/json': schema, 'text/plain': null } };
}
