import { Readable } from 'node:stream';
import type { RouterMiddleware } from '@koa/router';
import type Joi from 'joi';
import type { Scope } from '../../db/organizations/api-keys';
import type { ErrorFamily } from './errors/answer';
import type { ApiError, InputFault } from './errors/api-error';
import type { RateKind, RateLimits, RequestSlots } from './limits';
import type { ApiContext, ApiState } from './context';
import type { Field, ValueOf } from './schema/field';
import type { Authentication, ApiClient, SessionClient } from './auth/api-key';
import type { AuthenticateReader, Reader } from './auth/signed-url';
import type { JsonObject } from '../../domain/json';
import { jsonBody } from './input/json-body';
import { check } from './schema/validate';
import { invalidInput } from './errors/refusals';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The parts of an endpoint that the OpenAPI document and the router need. */
interface EndpointFacts {
  method: Method;
  /** The path in `interface.md`, with `:name` for parameters. Clients can add or omit the trailing slash. */
  path: string;
  tag: 'Agents' | 'Calls' | 'Campaigns' | 'Contacts' | 'Rules' | 'Webhooks' | 'Account' | 'Console';
  summary: string;
  description?: string;
  /** Scope that the API key needs. Null if any key is accepted. */
  scope: Scope | null;
  /** Omits the endpoint from the OpenAPI document. */
  hidden?: boolean;
  input?: InputSpec;
  answer: Answer<unknown>;
  /** Errors specific to this endpoint; those common to all endpoints are added. */
  refusals?: ApiError[];
  /** Shape of the endpoint's errors. Default: `detail`. */
  errors?: ErrorFamily;
  /** Default: `other`. */
  rate?: RateKind;
}

/**
 * Defines an endpoint. The steps run in this order: access and rate limit, a request slot of the organization, body size and content
 * type, field types, `handle`, `present`.
 */
interface EndpointSpec<Who, Input extends InputSpec, Result, Body> extends EndpointFacts {
  access: Access<Who>;
  input: Input;
  answer: Answer<Body>;
  handle: (input: InputOf<Input>, who: Who) => Promise<Result> | Result;
  /** Builds the response field by field. It may set headers but makes no decisions. */
  present: (result: Result, context: { ctx: ApiContext; input: InputOf<Input>; who: Who }) => Body;
}

export interface Endpoint extends EndpointFacts {
  security: Access<unknown>['security'];
  middleware: (gates: Gates) => RouterMiddleware<ApiState>;
}

export function endpoint<Who, Input extends InputSpec, Result, Body>(
  spec: EndpointSpec<Who, Input, Result, Body>,
): Endpoint {
  const { access, handle, present, ...facts } = spec;
  const read = inputReader(spec.input);
  return {
    ...facts,
    security: access.security,
    middleware: (gates) => async (ctx) => {
      ctx.state.errorFamily = spec.errors ?? 'detail';
      // Responses belong to one organization, and a shared cache might ignore that they vary by X-API-Key.
      ctx.set('Cache-Control', 'no-store');
      const who = await access.admit(gates, ctx, { scope: spec.scope, kind: spec.rate ?? 'other' });
      const release = await gates.requestSlots.enter();
      try {
        const input = await read(ctx);
        const result = await handle(input, who);
        // `present` overrides this for a partial response.
        ctx.status = spec.answer.status;
        if (spec.answer.isJsonStream) ctx.type = 'json';
        ctx.body = present(result, { ctx, input, who });
      } finally {
        // A JSON stream reads the database while it is being sent, so it keeps its slot until it closes.
        if (spec.answer.isJsonStream && ctx.body instanceof Readable) ctx.body.once('close', release);
        else release();
      }
    },
  };
}

declare const BODY: unique symbol;

/** The successful response of an endpoint. */
interface Answer<T> {
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

interface AnswerOptions {
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
  return {
    status: 200,
    description,
    part: `${description}: the part that the Range header requests`,
    content,
  };
}

/** JSON by default, plain text if the client requests it. */
export function answersJsonOrText<T>(description: string, schema: Field<T>): Answer<T | string> {
  return { status: 200, description, content: { 'application/json': schema, 'text/plain': null } };
}

/** Checks that run between a request and its endpoint. */
export interface Gates {
  authentication: Authentication;
  authenticateReader: AuthenticateReader;
  rateLimits: RateLimits;
  requestSlots: RequestSlots;
}

/** An endpoint's requirements for an API key. */
interface Needs {
  /** Null if any key is accepted. */
  scope: Scope | null;
  kind: RateKind;
}

/** Decides which requests may use an endpoint. */
interface Access<Who> {
  /** Names of the OpenAPI security schemes. Any one of them is enough; an empty list makes the endpoint public. */
  security: readonly ('apiKey' | 'session' | 'signature')[];
  admit: (gates: Gates, ctx: ApiContext, needs: Needs) => Promise<Who>;
}

/** Accepts an API key or a console session. */
export const byKey: Access<ApiClient> = {
  security: ['apiKey', 'session'],
  admit: async ({ authentication, rateLimits }, ctx, { scope, kind }) => {
    const client = await authentication.authenticate(ctx, scope);
    ctx.set(await rateLimits.admit(client, kind));
    return client;
  },
};

/** An API client that receives a long-lived response. */
interface LastingClient extends ApiClient {
  /** Rejects once the key or session is no longer valid. */
  recheck: () => Promise<unknown>;
}

export const byKeyThroughout: Access<LastingClient> = {
  security: byKey.security,
  admit: async (gates, ctx, needs) => {
    const client = await byKey.admit(gates, ctx, needs);
    return { ...client, recheck: () => gates.authentication.authenticate(ctx, needs.scope) };
  },
};

/** Also accepts a signed URL, regardless of the scope. Such a request isn't rate-limited because it names no organization. */
export const byKeyOrSignature: Access<Reader> = {
  security: ['apiKey', 'session', 'signature'],
  admit: async ({ authenticateReader, rateLimits }, ctx, { scope, kind }) => {
    const reader = await authenticateReader(ctx, scope);
    if (reader !== 'bearer') ctx.set(await rateLimits.admit(reader, kind));
    return reader;
  },
};

/** Accepts console sessions only. */
export const bySession: Access<SessionClient> = {
  security: ['session'],
  admit: async ({ authentication, rateLimits }, ctx, { kind }) => {
    const client = await authentication.authenticateSession(ctx);
    ctx.set(await rateLimits.admit(client, kind));
    return client;
  },
};

/** A person who authenticates with a secret in the body. */
export interface Visitor {
  authentication: Authentication;
  ctx: ApiContext;
  /** Counts the request against the organization's rate limit, once the organization is known. */
  admit: (organization: { id: string }) => Promise<void>;
}

export const bySecretInBody: Access<Visitor> = {
  security: [],
  admit: ({ authentication, rateLimits }, ctx, { kind }) =>
    Promise.resolve({
      authentication,
      ctx,
      admit: async (organization) => ctx.set(await rateLimits.admit(organization, kind)),
    }),
};

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

interface JsonBodyOptions {
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

/** The parts of a request that an endpoint reads. Everything else is ignored. */
interface InputSpec {
  params?: Field<unknown>;
  query?: Field<unknown>;
  /** Named in their usual spelling, such as `X-Agent-Id`. */
  headers?: Field<unknown>;
  body?: Body<unknown>;
}

type InputOf<S extends InputSpec> = {
  [K in keyof S]: S[K] extends Body<infer T> ? T : ValueOf<S[K]>;
};

/** Checks size and content type first. Then it reports all invalid fields in one 422. */
function inputReader<S extends InputSpec>(spec: S): (ctx: ApiContext) => Promise<InputOf<S>> {
  const headerNames = spec.headers === undefined ? [] : keysOf(spec.headers);
  return (ctx) => readInput(spec, headerNames, ctx);
}

async function readInput<S extends InputSpec>(
  spec: S,
  headerNames: readonly string[],
  ctx: ApiContext,
): Promise<InputOf<S>> {
  const body = spec.body === undefined ? null : await spec.body.read(ctx);
  const parts: [keyof InputSpec, Reading<unknown>][] = [];
  if (spec.params) parts.push(['params', check(spec.params, ctx.params, 'path')]);
  // A repeated parameter arrives as an array, which all fields reject.
  if (spec.query) parts.push(['query', check(spec.query, { ...ctx.query }, 'query')]);
  if (spec.headers) parts.push(['headers', check(spec.headers, headersOf(ctx, headerNames), 'header')]);
  if (body !== null) parts.push(['body', body]);
  const faults: InputFault[] = parts.flatMap(([, reading]) => ('faults' in reading ? reading.faults : []));
  if (faults.length > 0) throw invalidInput(faults);
  const values = parts.map(([name, reading]) => [name, 'value' in reading ? reading.value : undefined]);
  return Object.fromEntries(values) as InputOf<S>;
}

const headersOf = (ctx: ApiContext, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, ctx.headers[name.toLowerCase()]]));

function keysOf(fields: Field<unknown>): string[] {
  const keys: unknown = fields.describe().keys;
  return typeof keys === 'object' && keys !== null ? Object.keys(keys) : [];
}
