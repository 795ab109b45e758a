import { createHash } from 'node:crypto';

/**
 * Returns the same hash for requests with the same fields in any order. An undefined field is the same as a missing one. `input` is the
 * validated request: JSON values, dates, and bytes, which are hashed by content.
 */
export function fingerprintOf(operation: string, input: unknown): Buffer {
  return createHash('sha256')
    .update(canonical([operation, input]))
    .digest();
}

function canonical(value: unknown): string {
  if (ArrayBuffer.isView(value)) return bytes(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value instanceof Date) return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return object(value);
  if (value === undefined) return 'null';
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return JSON.stringify(value);
  }
  throw new TypeError(`a ${typeof value} has no fingerprint`);
}

function object(value: object): string {
  // A Map or Set has no own fields, so they would all have the same hash.
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw new TypeError(`an ${kind} has no fingerprint`);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

/** The result isn't JSON, so no string value can have the same fingerprint as a file. */
function bytes(value: ArrayBufferView): string {
  const content = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return `sha256(${createHash('sha256').update(content).digest('hex')})`;
}
