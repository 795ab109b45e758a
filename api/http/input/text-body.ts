import bodyParser from '@koa/bodyparser';
import type { Context } from 'koa';
import { invalidEncoding, invalidInput, payloadTooLarge, unsupportedMediaType } from '../errors/refusals';

const MAX_BODY = '1mb';

/** Read as text: the parser's own modes answer a forbidden key as if the body were malformed, and make lists and objects of names. */
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['json', '+json', 'urlencoded'] },
  textLimit: MAX_BODY,
  // A character for each byte: as UTF-8 the parser would put U+FFFD for bytes that are none, and that would be stored.
  encoding: 'binary',
  onError: (error) => {
    throw refusalOf(error);
  },
});

/** At most 1 MiB, of UTF-8. */
export async function textBody(ctx: Context): Promise<string> {
  await readText(ctx, () => Promise.resolve());
  const text: unknown = ctx.request.body;
  return typeof text === 'string' ? fromUtf8(Buffer.from(text, 'binary')) : '';
}

function fromUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidEncoding(error);
  }
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
