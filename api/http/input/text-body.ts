import bodyParser from '@koa/bodyparser';
import type { ApiContext } from '../endpoint/context';
import { withinBudget } from './within-budget';
import { invalidEncoding, invalidInput, payloadTooLarge, unsupportedMediaType } from '../errors/refusals';

const MAX_BODY_BYTES = 1024 * 1024;

/** Read as text: the parser's own modes answer a forbidden key as if the body were malformed, and make lists and objects of names. */
const reader = (mostBytes: number): ReturnType<typeof bodyParser> =>
  bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['json', '+json', 'urlencoded'] },
    textLimit: `${mostBytes}b`,
    // A character for each byte: as UTF-8 the parser would put U+FFFD for bytes that are none, and that would be stored.
    encoding: 'binary',
    onError: (error) => {
      throw refusalOf(error);
    },
  });

const readers = new Map<number, ReturnType<typeof bodyParser>>();

/** Reads UTF-8, 1 MiB at most unless a body of the endpoint is smaller. */
export async function textBody(ctx: ApiContext, mostBytes = MAX_BODY_BYTES): Promise<string> {
  const read = readers.get(mostBytes) ?? reader(mostBytes);
  readers.set(mostBytes, read);
  await withinBudget(ctx, mostBytes, () => read(ctx, () => Promise.resolve()));
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

export const hasBody = (ctx: ApiContext): boolean =>
  ctx.get('transfer-encoding') !== '' || (ctx.request.length ?? 0) > 0;

function refusalOf(error: Error): Error {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return payloadTooLarge();
  if (status === 415) return unsupportedMediaType('in a known content encoding');
  // The rest is a body that broke off or is not what its content encoding says.
  return invalidInput([{ loc: ['body'], msg: 'cannot be read', type: 'body.unreadable' }], error);
}
