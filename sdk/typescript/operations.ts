/** Types of requests and responses, derived from the generated ones. */
import type { paths } from './generated';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that accept a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

export type Operation<M extends Method, P extends keyof paths> =
  paths[P] extends Record<M, infer O> ? O : never;

export interface CallOptions {
  /** Aborts the request and its remaining attempts. */
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** Browsers complete the request even if its page is closed. */
  keepalive?: boolean;
}

/** Options are required if the operation requires them, and absent if it accepts none. */
export type RequestOptions<O> = CallOptions & PathPart<O> & QueryPart<O> & BodyPart<O> & KeyPart<O>;

type PathPart<O> = O extends { parameters: { path: infer T } } ? { path: T } : unknown;
type QueryPart<O> = O extends { parameters: { query: infer T } }
  ? { query: T }
  : O extends { parameters: { query?: infer T } }
    ? [NonNullable<T>] extends [never]
      ? unknown
      : { query?: T }
    : unknown;
/** Pass a form as an object, and a file in it as a Blob or File. */
type BodyPart<O> = O extends { requestBody: { content: infer C } } ? { body: C[keyof C] } : unknown;
type KeyPart<O> = O extends { parameters: { header?: { 'Idempotency-Key'?: string } } }
  ? {
      /** Generated for each call by default. Pass your own to repeat the same request after your process has died. */
      idempotencyKey?: string;
    }
  : unknown;

/** The options can be omitted if nothing in them is required. */
export type Rest<O> =
  object extends RequestOptions<O> ? [options?: RequestOptions<O>] : [options: RequestOptions<O>];

type ContentOf<O> = O extends { responses: infer R } ? Content<R[Extract<keyof R, 200 | 201 | 202>]> : never;
type Content<R> = R extends { content: infer C } ? C : never;

/** The body of a successful response. */
export type Answer<O> = ContentOf<O> extends { 'application/json': infer T } ? T : never;

/** The paths whose GET returns JSON. The others are downloads. */
export type JsonPath = {
  [P in PathOf<'get'>]: [Answer<Operation<'get', P>>] extends [never] ? never : P;
}[PathOf<'get'>];

type PageOf<P extends JsonPath> = Extract<Answer<Operation<'get', P>>, { pagination: unknown }>;

/** The paths of paginated lists. */
export type ListPath = { [P in JsonPath]: [PageOf<P>] extends [never] ? never : P }[JsonPath];

export type Item<P extends ListPath> =
  PageOf<P> extends { data: readonly (infer T)[] } | { campaigns: readonly (infer T)[] } ? T : never;
