/** `last` is inclusive. */
export type ByteRange = { kind: 'whole' } | { kind: 'part'; first: number; last: number } | { kind: 'none' };

/**
 * Returns the part of a file that a Range header requests, or `none` if it starts past the end. Multiple ranges, other units and invalid
 * headers get the whole file, as RFC 9110 allows.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return { kind: 'whole' };
  // `bytes=-500` requests the last 500 bytes.
  if (from === '') return part(Math.max(0, bytes - Number(to)), bytes - 1);
  const [first, asked] = [Number(from), to === '' ? bytes - 1 : Number(to)];
  if (asked < first && to !== '') return { kind: 'whole' };
  return part(first, Math.min(asked, bytes - 1));
}

const part = (first: number, last: number): ByteRange =>
  first > last ? { kind: 'none' } : { kind: 'part', first, last };
