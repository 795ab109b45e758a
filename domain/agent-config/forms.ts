import { isForbiddenKey, isLonger } from '../json-faults';
import type { TextForm, TextRow } from './rows';

/** Patterns also stand in the OpenAPI document. Empty is none, except of the name of an item. */
export const PATTERNS = {
  e164: /^\+[1-9]\d{6,14}$/,
  /** The beginning of an address, and nothing that would go before it or take its token elsewhere: a user name, a fragment. */
  socket_url: /^wss?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?(\?[^\s#]*)?$/,
  /** What a header can carry after its scheme. */
  token: /^[\x21-\x7e]*$/,
} as const satisfies Partial<Record<TextForm, RegExp>>;

/** The text as it is read; null where it is not of the row's form, or longer than it may be. */
export function readText({ form, most }: TextRow, given: string): string | null {
  // A name becomes a key of answers, where each of its characters counts.
  const text = form === 'item_name' ? given : given.trim();
  if (isLonger(text, most)) return null;
  if (form === 'any') return text;
  // It must be safe as a key.
  if (form === 'item_name') return text === '' || isForbiddenKey(text) ? null : text;
  return text === '' || PATTERNS[form].test(text) ? text : null;
}
