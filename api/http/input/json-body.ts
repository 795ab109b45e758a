import { ownTurn } from '../../../runtime/loop-turn';
import type { ApiContext } from '../context';
import { type InputFault, ENOUGH_FAULTS } from '../errors/api-error';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import {
  describeJsonFault,
  jsonFaults,
  MAX_JSON_DEPTH,
  type JsonFault,
  type JsonLimits,
} from '../../../domain/json-faults';
import { UNNAMED } from '../../../domain/agent-config/maxima';
import { invalidInput, unsupportedMediaType } from '../errors/refusals';
import { lossyNumbers, scanJson } from './json-values';
import { hasBody, textBody } from './text-body';

/** Default for bodies without an agent configuration. */
const MAX_VALUES = 1_000;
/** Maximum number of top-level fields. Agent sections have their own limit. */
const MAX_FIELDS = 100;

interface JsonBodyOptions {
  /** Maximum number of values at any depth. Default: `MAX_VALUES`. */
  maxValues?: number;
  /** Maximum size. Default: 1 MiB. */
  maxBytes?: number;
  /** Accepts numbers that lose digits when parsed, because a carrier's report must not be rejected for that. */
  mayLoseDigits?: boolean;
  /** Fields that a later check validates with better messages. */
  checkedApart?: readonly string[];
}

/** Reads a body that must be a JSON object within `LIMITS`. */
export async function jsonBody(
  ctx: ApiContext,
  { checkedApart = [], ...limits }: JsonBodyOptions = {},
): Promise<JsonObject> {
  const body = await uncheckedJsonBody(ctx, limits);
  const unchecked = checkedApart.map((name) => [name, null] as const).filter(([name]) => name in body);
  const faults = jsonFaults(
    { ...body, ...Object.fromEntries(unchecked) },
    { limits: LIMITS, max: ENOUGH_FAULTS },
  );
  if (faults.length > 0) throw invalidInput(faults.map(inBody));
  return body;
}

/** Each step with a larger body takes milliseconds, so other requests are served in between. */
const LARGE_BODY = 64 * 1024;

const LIMITS: JsonLimits = { keys: MAX_FIELDS, inside: UNNAMED };

const inBody = (fault: JsonFault): InputFault => ({
  loc: ['body', ...fault.path],
  msg: describeJsonFault(fault),
  type: fault.kind,
});

type BodyLimits = Omit<JsonBodyOptions, 'checkedApart'>;

/**
 * Reads a body that must be a JSON object with a limited number of values. Check its contents afterwards in the same way as `jsonBody`.
 */
export async function uncheckedJsonBody(ctx: ApiContext, limits: BodyLimits): Promise<JsonObject> {
  const body = await readJson(ctx, limits);
  if (!isJsonObject(body)) {
    throw invalidInput([{ loc: ['body'], msg: 'must be a JSON object', type: 'object.base' }]);
  }
  return body;
}

async function readJson(
  ctx: ApiContext,
  { maxValues = MAX_VALUES, maxBytes, mayLoseDigits = false }: BodyLimits,
): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  if (!ctx.is('json', '+json')) throw unsupportedMediaType('application/json');
  const text = await textBody(ctx, maxBytes);
  const step = (): Promise<void> => (text.length > LARGE_BODY ? ownTurn() : Promise.resolve());
  await step();
  // Count before parsing, because parsing 1 MiB of empty objects takes a tenth of a second.
  const { values, losesDigits } = scanJson(text, maxValues);
  if (values > maxValues) {
    const msg = `must contain at most ${maxValues} fields and array entries in total`;
    throw invalidInput([{ loc: ['body'], msg, type: 'values.max' }]);
  }
  await step();
  const body = parsed(text);
  await step();
  if (losesDigits && !mayLoseDigits) throw invalidInput(lossyNumbers(text, ENOUGH_FAULTS).map(lossyNumber));
  return body;
}

const lossyNumber = (path: (string | number)[]): InputFault => ({
  loc: ['body', ...path.slice(0, MAX_JSON_DEPTH)],
  msg: 'has more digits than can be stored exactly; send it as a string',
  type: 'number.unsafe',
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput([{ loc: ['body'], msg: 'is not valid JSON', type: 'json.invalid' }], error);
  }
}
