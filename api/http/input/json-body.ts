import type { ApiContext } from '../endpoint/context';
import { isJsonObject, type JsonObject } from '../../../workflows/domain/json';
import {
  describeJsonFault,
  jsonFaults,
  type JsonFault,
  type JsonLimits,
} from '../../../workflows/domain/json-faults';
import { UNNAMED } from '../../../workflows/domain/agent-config/maxima';
import type { InputFault } from '../errors/api-error';
import { invalidInput, unsupportedMediaType } from '../errors/refusals';
import { ENOUGH_FAULTS } from './faults';
import { countJsonValues } from './json-values';
import { hasBody, textBody } from './text-body';

/** Of a body that holds no configuration. */
const MAX_VALUES = 1_000;
/** Of the body itself; a section of an agent has its own. */
const MAX_FIELDS = 100;

export interface JsonBodyOptions {
  /** Most values, at any depth, of a body that may hold more than `MAX_VALUES`. */
  mostValues?: number;
  /** Most bytes, where 1 MiB is too many. */
  mostBytes?: number;
  /** Fields that have a check of their own, which finds the same faults and names them better. */
  checkedApart?: readonly string[];
}

/** Reads the body, which must be a JSON object of few fields that can be stored and merged. */
export async function jsonBody(
  ctx: ApiContext,
  { mostValues = MAX_VALUES, mostBytes, checkedApart = [] }: JsonBodyOptions = {},
): Promise<JsonObject> {
  const body = await uncheckedJsonBody(ctx, mostValues, mostBytes);
  const unchecked = checkedApart.map((name) => [name, null] as const).filter(([name]) => name in body);
  const faults = jsonFaults(
    { ...body, ...Object.fromEntries(unchecked) },
    { limits: LIMITS, most: ENOUGH_FAULTS },
  );
  if (faults.length > 0) throw invalidInput(faults.map(inBody));
  return body;
}

const LIMITS: JsonLimits = { keys: MAX_FIELDS, inside: UNNAMED };

const inBody = (fault: JsonFault): InputFault => ({
  loc: ['body', ...fault.path],
  msg: describeJsonFault(fault),
  type: fault.kind,
});

/** Reads the body, which must be a JSON object of at most so many values. What it holds is for the caller to check, as `jsonBody` does. */
export async function uncheckedJsonBody(
  ctx: ApiContext,
  mostValues: number,
  mostBytes?: number,
): Promise<JsonObject> {
  const body = await readJson(ctx, mostValues, mostBytes);
  if (!isJsonObject(body)) {
    throw invalidInput([{ loc: ['body'], msg: 'must be a JSON object', type: 'object.base' }]);
  }
  return body;
}

async function readJson(ctx: ApiContext, mostValues: number, mostBytes?: number): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  if (!ctx.is('json', '+json')) throw unsupportedMediaType('application/json');
  const text = await textBody(ctx, mostBytes);
  // Before it is parsed: a mebibyte of empty objects takes a parser a tenth of a second.
  if (countJsonValues(text) > mostValues) {
    const msg = `must hold at most ${mostValues} values`;
    throw invalidInput([{ loc: ['body'], msg, type: 'values.max' }]);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput([{ loc: ['body'], msg: 'is not well-formed JSON', type: 'json.invalid' }], error);
  }
}
