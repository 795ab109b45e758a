import type { Context } from 'koa';
import { isJsonObject, type JsonObject } from '../../workflows/domain/json';
import { describeJsonFault, jsonFaults } from '../../workflows/domain/json-faults';
import type { InputFault } from '../errors/api-error';
import { invalidInput, unsupportedMediaType } from '../errors/refusals';
import { hasBody, textBody } from './text-body';

const MAX_FAULTS = 100;

/**
 * Reads the body, which must be a JSON object that can be stored and merged. Fields named in `checkedApart` have a check of their own
 * that finds the same faults and names them better.
 */
export async function jsonBody(
  ctx: Context,
  { checkedApart = [] }: { checkedApart?: readonly string[] } = {},
): Promise<JsonObject> {
  const body = await readJson(ctx);
  if (!isJsonObject(body)) {
    throw invalidInput([{ loc: ['body'], msg: 'must be a JSON object', type: 'object.base' }]);
  }
  const faults: InputFault[] = [];
  for (const [name, value] of Object.entries(body)) {
    // Wrapped alone, so that the name is judged like any other key.
    const field = checkedApart.includes(name) ? {} : ownProperty(name, value);
    for (const fault of jsonFaults(field)) {
      if (faults.length === MAX_FAULTS) break;
      faults.push({ loc: ['body', ...fault.path], msg: describeJsonFault(fault.kind), type: fault.kind });
    }
  }
  if (faults.length > 0) throw invalidInput(faults);
  return body;
}

async function readJson(ctx: Context): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  if (!ctx.is('json', '+json')) throw unsupportedMediaType('application/json');
  const text = await textBody(ctx);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput([{ loc: ['body'], msg: 'is not well-formed JSON', type: 'json.invalid' }], error);
  }
}

/** An assignment to __proto__ would set the prototype instead. */
function ownProperty(name: string, value: unknown): JsonObject {
  return Object.defineProperty<JsonObject>({}, name, { value, enumerable: true });
}
