/** Fills values into a URL template so that none of them changes its structure. */

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Whether it is an http or https address whose placeholders, if any, come after the host: no speaker may choose the host. */
export function isUrlTemplate(template: string): boolean {
  const probe = template.replace(PLACEHOLDER, 'x');
  if (!URL.canParse(probe)) return false;
  const { protocol, username, password } = new URL(probe);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return false;
  const first = template.search(PLACEHOLDER);
  return first === -1 || /^https?:\/\/[^/?#\s{}\\]+[/?#]/i.test(template.slice(0, first));
}

export type FilledUrl =
  | { kind: 'url'; url: string }
  | { kind: 'missing'; name: string }
  /** A value such as `..` would change the path. */
  | { kind: 'escapes-path' };

export function fillUrl(template: string, values: Readonly<Record<string, unknown>>): FilledUrl {
  let missing: string | null = null;
  const filled = template.replace(PLACEHOLDER, (_whole, inside: string) => {
    const name = inside.trim();
    const text = Object.hasOwn(values, name) ? plainText(values[name]) : '';
    if (text === '') missing ??= name;
    return encoded(text);
  });
  if (missing !== null) return { kind: 'missing', name: missing };
  const expected = segments(template.replace(PLACEHOLDER, 'x'));
  return segments(filled) === expected ? { kind: 'url', url: filled } : { kind: 'escapes-path' };
}

/** The names of a template's placeholders. */
export const placeholdersIn = (template: string): Set<string> =>
  new Set([...template.matchAll(PLACEHOLDER)].map(([, inside]) => (inside ?? '').trim()));

const segments = (url: string): number => new URL(url).pathname.split('/').length;

/** An unpaired surrogate cannot be encoded, and is no character. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));

function plainText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
