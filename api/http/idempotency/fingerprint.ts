import { createHash } from 'node:crypto';

/**
 * The same for requests that ask for the same: whatever the order of their fields, and whether a field is undefined or absent.
 * `input` is what validation made of the request: JSON values, dates, and bytes, which count by their content.
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
  // A map or a set has no fields: all of them would be the same.
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw new TypeError(`an ${kind} has no fingerprint`);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

/** No JSON, so that no text can be taken for a file. */
function bytes(value: ArrayBufferView): string {
  const content = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return `sha256(${createHash('sha256').update(content).digest('hex')})`;
}
