import type { InputFault } from '../errors/api-error';
import { invalidInput } from '../errors/refusals';
import { check } from '../input/validate';
import type { Field, ValueOf } from '../schema/field';
import type { Body, Reading } from './body';
import type { ApiContext } from './context';

/** The parts of a request that an endpoint reads. Everything else is ignored. */
export interface InputSpec {
  params?: Field<unknown>;
  query?: Field<unknown>;
  /** Named in their usual spelling, such as `X-Agent-Id`. */
  headers?: Field<unknown>;
  body?: Body<unknown>;
}

export type InputOf<S extends InputSpec> = {
  [K in keyof S]: S[K] extends Body<infer T> ? T : ValueOf<S[K]>;
};

/** Checks size and content type first. Then it reports all invalid fields in one 422. */
export function inputReader<S extends InputSpec>(spec: S): (ctx: ApiContext) => Promise<InputOf<S>> {
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
