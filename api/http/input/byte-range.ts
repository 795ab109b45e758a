/** `last` is included. */
export type ByteRange = { kind: 'whole' } | { kind: 'part'; first: number; last: number } | { kind: 'none' };

/**
 * What a Range header asks for of so many bytes; `none` of them where it begins behind their end. Several ranges at once, other units and
 * what is no range get the whole, as RFC 9110 allows.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return { kind: 'whole' };
  // Without a beginning it is the last so many.
  if (from === '') return part(Math.max(0, bytes - Number(to)), bytes - 1);
  const [first, asked] = [Number(from), to === '' ? bytes - 1 : Number(to)];
  if (asked < first && to !== '') return { kind: 'whole' };
  return part(first, Math.min(asked, bytes - 1));
}

const part = (first: number, last: number): ByteRange =>
  first > last ? { kind: 'none' } : { kind: 'part', first, last };
