import { isForbiddenKey, isLonger } from '../json-faults';
import type { TextForm, TextRow } from './rows';

/** The OpenAPI document shows these patterns. An empty string is allowed except in the name of an item. */
export const PATTERNS = {
  e164: /^\+[1-9]\d{6,14}$/,
  /** Forbids a user name, which could hide the real host, and a fragment. */
  socket_url: /^wss?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?(\?[^\s#]*)?$/,
  /** Characters that are allowed in a header. */
  token: /^[\x21-\x7e]*$/,
} as const satisfies Partial<Record<TextForm, RegExp>>;

/** Returns the string without surrounding spaces. Returns null if it is too long or doesn't match the row's form. */
export function readText({ form, max }: TextRow, given: string): string | null {
  // An item's name becomes a key of the answers, so keep it unchanged.
  const text = form === 'item_name' ? given : given.trim();
  if (isLonger(text, max)) return null;
  if (form === 'any') return text;
  // The name must be safe to use as a key.
  if (form === 'item_name') return text === '' || isForbiddenKey(text) ? null : text;
  return text === '' || PATTERNS[form].test(text) ? text : null;
}
