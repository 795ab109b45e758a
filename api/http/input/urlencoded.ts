import type { ApiContext } from '../endpoint/context';
import { tooManyFields } from '../errors/refusals';
import { MAX_FIELDS, textFields } from './form-fields';
import { textBody } from './text-body';

/** Reads an `application/x-www-form-urlencoded` body. A form in either encoding has the same maximum number of fields. */
export async function urlencodedForm(ctx: ApiContext): Promise<Readonly<Record<string, string>>> {
  const text = await textBody(ctx);
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields(MAX_FIELDS);
  return textFields(new URLSearchParams(text));
}
