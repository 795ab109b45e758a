import bodyParser from '@koa/bodyparser';
import type { Context } from 'koa';
import { isJsonObject, type JsonObject } from '../../workflows/domain/json';
import { describeJsonFault, jsonFaults } from '../../workflows/domain/json-faults';
import type { InputFault } from '../errors/api-error';
import { invalidInput, payloadTooLarge, unsupportedMediaType } from '../errors/refusals';

const MAX_BODY = '1mb';
const MAX_FAULTS = 100;

/** Read as text: the parser's own JSON mode answers a forbidden key as if the JSON were malformed. */
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['json', '+json'] },
  textLimit: MAX_BODY,
  onError: (error) => {
    throw refusalOf(error);
  },
});

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
  await readText(ctx, () => Promise.resolve());
  const text: unknown = ctx.request.body;
  try {
    return JSON.parse(typeof text === 'string' ? text : '');
  } catch (error) {
    throw invalidInput([{ loc: ['body'], msg: 'is not well-formed JSON', type: 'json.invalid' }], error);
  }
}

const hasBody = (ctx: Context): boolean =>
  ctx.get('transfer-encoding') !== '' || (ctx.request.length ?? 0) > 0;

/** An assignment to __proto__ would set the prototype instead. */
function ownProperty(name: string, value: unknown): JsonObject {
  return Object.defineProperty<JsonObject>({}, name, { value, enumerable: true });
}

function refusalOf(error: Error): Error {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return payloadTooLarge();
  if (status === 415) return unsupportedMediaType('application/json in a known content encoding');
  // The rest is a body that broke off or is not what its content encoding says.
  return invalidInput([{ loc: ['body'], msg: 'cannot be read', type: 'body.unreadable' }], error);
}
