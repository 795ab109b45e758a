/** Fills values into a URL template. No value can change the structure of the URL. */
import { textOf } from './exact-numbers';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** No server decodes this many layers of percent-encoding. */
const MAX_LAYERS = 5;

/** Returns true for an http or https URL whose placeholders all come after the host. A caller's words must never choose the host. */
export function isUrlTemplate(template: string): boolean {
  const probe = template.replace(PLACEHOLDER, 'x');
  if (!URL.canParse(probe) || [...placeholdersIn(template)].some((name) => /[/\\?#]/.test(name)))
    return false;
  const { protocol, username, password } = new URL(probe);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return false;
  const first = template.search(PLACEHOLDER);
  return first === -1 || /^https?:\/\/[^/?#\s{}\\]+[/?#]/i.test(template.slice(0, first));
}

type FilledUrl =
  | { kind: 'url'; url: string }
  | { kind: 'missing'; name: string }
  /** A value would change the structure of the path. */
  | { kind: 'escapes-path' };

export function fillUrl(template: string, values: Readonly<Record<string, unknown>>): FilledUrl {
  let missing: string | null = null;
  const fill = (text: string, become: (value: string) => string): string =>
    text.replace(PLACEHOLDER, (_whole, inside: string) => {
      const name = inside.trim();
      const value = Object.hasOwn(values, name) ? sendable(textOf(values[name])) : '';
      if (value === '') missing ??= name;
      return become(value);
    });
  const filled = fill(template, encodeURIComponent);
  if (missing !== null) return { kind: 'missing', name: missing };
  const [path = ''] = template.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  const segments = path.split('/').filter((segment) => segment.search(PLACEHOLDER) !== -1);
  const escapes = segments.some((segment) => leavesSegment(fill(segment, (value) => value)));
  return escapes || !isOfShape(filled, template) ? { kind: 'escapes-path' } : { kind: 'url', url: filled };
}

export const placeholdersIn = (template: string): Set<string> =>
  new Set([...template.matchAll(PLACEHOLDER)].map(([, inside]) => (inside ?? '').trim()));

/**
 * Returns true if a server could find `.`, `..` or an empty segment in the text after any number of decodings. Some servers also read a
 * backslash as `/` and drop everything after `;`.
 */
function leavesSegment(text: string): boolean {
  let decoded = text;
  for (let layer = 0; layer < MAX_LAYERS; layer++) decoded = decodedOnce(decoded);
  const parts = decoded
    .normalize('NFKC')
    .replace(/[\p{C}\s]/gu, '')
    .split(/[/\\]/);
  return parts.some((part) => /^\.{0,2}(;|$)/.test(part));
}

/** Decodes each escape separately, so that an invalid one does not prevent the others from being decoded. */
const decodedOnce = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Returns true if the filled URL has its template's origin and number of path segments and query parameters. */
function isOfShape(filled: string, template: string): boolean {
  const [made, meant] = [new URL(filled), new URL(template.replace(PLACEHOLDER, 'x'))];
  const count = (url: URL): string => `${url.pathname.split('/').length} ${[...url.searchParams].length}`;
  return made.origin === meant.origin && count(made) === count(meant);
}

/** Removes unpaired surrogates, because they cannot be encoded. */
const sendable = (text: string): string => text.replace(/\p{Surrogate}/gu, '').trim();
