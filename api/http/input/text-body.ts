import bodyParser from '@koa/bodyparser';
import type { Context } from 'koa';
import { invalidInput, payloadTooLarge, unsupportedMediaType } from '../errors/refusals';

const MAX_BODY = '1mb';

/** Read as text: the parser's own modes answer a forbidden key as if the body were malformed, and make lists and objects of names. */
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['json', '+json', 'urlencoded'] },
  textLimit: MAX_BODY,
  onError: (error) => {
    throw refusalOf(error);
  },
});

/** At most 1 MiB. */
export async function textBody(ctx: Context): Promise<string> {
  await readText(ctx, () => Promise.resolve());
  const text: unknown = ctx.request.body;
  return typeof text === 'string' ? text : '';
}

export const hasBody = (ctx: Context): boolean =>
  ctx.get('transfer-encoding') !== '' || (ctx.request.length ?? 0) > 0;

function refusalOf(error: Error): Error {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return payloadTooLarge();
  if (status === 415) return unsupportedMediaType('in a known content encoding');
  // The rest is a body that broke off or is not what its content encoding says.
  return invalidInput([{ loc: ['body'], msg: 'cannot be read', type: 'body.unreadable' }], error);
}
