/** Input that no well-behaved program sends. */
import fc from 'fast-check';

/** JSON text that JSON.stringify would never produce. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Text that JSON and percent-encoding can carry but Postgres can't store. */
const UNSTORABLE = ['\0', 'a\0b', '\ud800', 'a\udc00\ud800z'];

const TEXTS = [
  "' or 1=1 --",
  '"; drop table organizations; --',
  '%',
  '_',
  '%%%___%%%',
  '\\',
  '\\%',
  '$1',
  '?',
  ':organizationId',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../../etc/passwd',
  '{{name}}',
  '{{{{{{{{{{',
  '${7*7}',
  '=1+1',
  '<script>alert(1)</script>',
  '\r\nX-Injected: yes\r\n\r\n',
  '\u202e\u2066',
  '\ufeff',
  '\ufffe\uffff',
  '👩‍👩‍👧‍👦'.repeat(30),
  'ﷺ'.repeat(100),
  'x'.repeat(300),
  'x'.repeat(20_000),
  ' '.repeat(500),
  '',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '١٢٣',
  '9'.repeat(400),
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '+275760-09-13T00:00:00Z',
  '0000-01-01',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{00000000-0000-4000-8000-000000000000}',
  '00000000-0000-4000-8000-00000000000g',
  '+910000000000',
  '+999999999999999999',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 3 },
  { arbitrary: fc.constantFrom(...UNSTORABLE), weight: 1 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 50 }), weight: 1 },
);

/** Instants of every age and offset, some of them malformed. */
export const instantText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('0000', '0001', '1582', '1970', '2026', '9999', '10000', '-0001'),
    fc.constantFrom('-01-01', '-02-29', '-02-30', '-12-31', '-W10', '-366'),
    fc.constantFrom(
      '',
      'T00:00:00.000Z',
      'T23:59:59.999999999',
      'T23:59:60Z',
      'T24:00:00Z',
      'T00:00',
      ' 05:00:00',
    ),
    fc.constantFrom('', '', '+23:59', '-23:59', '-2359', ' 05:30'),
  )
  .map((parts) => parts.join(''));

const nested = (open: string, close: string, levels: number) =>
  new RawJson(`${open.repeat(levels)}1${close.repeat(levels)}`);

const RAW_JSON = [
  new RawJson('1e309'),
  new RawJson('-1e309'),
  new RawJson('-0'),
  new RawJson('1e-400'),
  new RawJson('9007199254740993'),
  new RawJson('2147483648'),
  new RawJson('9223372036854775808'),
  new RawJson('9'.repeat(400)),
  new RawJson('0.1e1'),
  new RawJson('{"__proto__":{"polluted":true}}'),
  new RawJson('{"constructor":{"prototype":{"polluted":true}}}'),
  new RawJson('{"a":{"b":[{"prototype":1}]}}'),
  new RawJson('{"a":1,"a":{"a":2}}'),
  new RawJson('{"":{"":""}}'),
  new RawJson('{"\\u0000":1}'),
  new RawJson('{"\\ud800":"\\udfff"}'),
  new RawJson('{"toString":1,"valueOf":null,"hasOwnProperty":{},"toJSON":1,"then":1,"length":-1}'),
  new RawJson(`[${'null,'.repeat(5000)}null]`),
  new RawJson(`{${Array.from({ length: 2000 }, (_each, n) => `"k${n}":${n}`).join(',')}}`),
  nested('[', ']', 30),
  nested('[', ']', 40),
  nested('{"a":', '}', 33),
  nested('[', ']', 20_000),
  nested('{"a":', '}', 20_000),
];

export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...RAW_JSON),
  hostileText,
);

/** Works like JSON.stringify, but writes a RawJson as it is. */
export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Path and query parts as sent over the wire, without a slash or question mark. */
export const hostileEncoding: fc.Arbitrary<string> = fc.constantFrom(
  '%',
  '%ZZ',
  '%C0%80',
  '%00',
  '%ED%A0%80',
  '%FF%FE',
  '%E0%80%AF',
  '%2F',
  '%2f..%2f..',
  '%2e%2e',
  '..',
  '.',
  '%',
  'a%0d%0aX:y',
  '%25%30%30',
  '%F0%9F%92%A9',
  ';',
  ':',
  '*',
  '(a|b)+',
  '+',
  '%u0041',
  'x'.repeat(2000),
  '\\',
  '~',
  '[]',
);

/** Encodes text for a path or query. Half a surrogate pair becomes the replacement character. */
export function percentEncoded(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
    })
    .join('');
}
