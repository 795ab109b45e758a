import type { ApiContext } from '../endpoint/context';
import { invalidEncoding, payloadTooLarge } from '../errors/refusals';
import { MAX_FIELDS, textFields } from './form-fields';
import { textBody } from './text-body';

/** Reads an `application/x-www-form-urlencoded` body. Too many fields are refused as those of a multipart form are. */
export async function urlencodedForm(ctx: ApiContext): Promise<Readonly<Record<string, string>>> {
  const text = await textBody(ctx);
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw payloadTooLarge();
  assertUtf8(text);
  return textFields(new URLSearchParams(text));
}

/** What the escapes stand for; a `%` that begins none stands for itself. */
function assertUtf8(text: string): void {
  try {
    decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch (error) {
    throw invalidEncoding(error);
  }
}
