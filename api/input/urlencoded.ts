import type { Context } from 'koa';
import { textFields } from './form-fields';
import { textBody } from './text-body';

/** Reads an `application/x-www-form-urlencoded` body. */
export async function urlencodedForm(ctx: Context): Promise<Readonly<Record<string, string>>> {
  return textFields(new URLSearchParams(await textBody(ctx)));
}
