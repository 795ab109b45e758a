import bodyParser from '@koa/bodyparser';
import type { ApiContext } from '../context';
import { bodyTooLarge, invalidEncoding, invalidInput, unsupportedMediaType } from '../errors/refusals';

export const MAX_BODY_BYTES = 1024 * 1024;

/** Reads the body as text, because the parser's own JSON and form modes report forbidden keys as malformed and turn `a[b]` into objects. */
const reader = (maxBytes: number): ReturnType<typeof bodyParser> =>
  bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['json', '+json', 'urlencoded'] },
    textLimit: `${maxBytes}b`,
    // Latin-1 keeps every byte. Decoding UTF-8 here would replace invalid bytes with U+FFFD, which would then be stored.
    encoding: 'binary',
    onError: (error) => {
      throw refusalOf(error, maxBytes);
    },
  });

const readers = new Map<number, ReturnType<typeof bodyParser>>();

/** Reads a UTF-8 body, by default of at most 1 MiB. */
export async function textBody(ctx: ApiContext, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const read = readers.get(maxBytes) ?? reader(maxBytes);
  readers.set(maxBytes, read);
  await withinBudget(ctx, maxBytes, () => read(ctx, () => Promise.resolve()));
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

function refusalOf(error: Error, maxBytes: number): Error {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return bodyTooLarge(maxBytes);
  if (status === 415) return unsupportedMediaType('uncompressed or compressed with gzip, deflate or br');
  // The remaining errors mean that the body was cut off or doesn't match its content encoding.
  return invalidInput(
    [
      {
        loc: ['body'],
        msg: 'is incomplete or does not match its `Content-Encoding`',
        type: 'body.unreadable',
      },
    ],
    error,
  );
}

/** Reads a body of at most `maxBytes` into memory, within the budget of all bodies. */
export function withinBudget<T>(
  ctx: ApiContext,
  maxBytes: number,
  read: () => Promise<T>,
  fault?: (bytes: number) => Error | null,
): Promise<T> {
  const { bodies } = ctx.state;
  bodies.reserve(ctx, Math.min(maxBytes, declaredBytes(ctx)));
  return bodies.paced(ctx.req, read, fault);
}

/** Compressed and chunked bodies can have any size. */
function declaredBytes({ request, headers }: ApiContext): number {
  const isPlain = headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
  return isPlain ? (request.length ?? 0) : Infinity;
}
