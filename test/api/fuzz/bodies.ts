/** Generates valid, invalid and unparseable bodies for an operation. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { BodyKind } from '../support/operations';
import { hostileJson, hostileText, instantText, jsonText, RawJson } from './hostile';
import { brokenForm, contactFile, hostileFile, writtenForm, type Part } from './multipart';
import type { SchemaValues } from './schema-values';

export interface WrittenBody {
  /** If null, no Content-Type is sent. */
  contentType: string | null;
  contentEncoding?: string;
  content: Buffer;
}

type Fields = Record<string, unknown>;
type Bodies = fc.Arbitrary<WrittenBody>;

const times = (weight: number, arbitrary: Bodies) => ({ weight, arbitrary });

/** `agentName` is used for fields that name an agent. */
export function bodiesOf(
  kind: BodyKind,
  values: SchemaValues,
  { agentName, isWindowed }: { agentName: fc.Arbitrary<string>; isWindowed: boolean },
): Bodies {
  const fields = fieldsOf(kind, values, agentName, isWindowed);
  const faulty = faultyFields(fields, kind, values);
  const written = (arbitrary: fc.Arbitrary<Fields>) =>
    arbitrary.chain((each) => writtenAs(kind.contentType, each));
  return fc.oneof(
    times(10, written(fields)),
    times(6, written(faulty)),
    times(2, mangled(written(fields))),
    times(2, mislabelled(written(fields))),
    times(1, encoded(written(fields))),
    ...(kind.contentType === 'multipart/form-data'
      ? [times(3, broken(fields)), times(3, withHostileFile(fields))]
      : []),
  );
}

/** Half of the bodies start from the document's examples and replace some fields. */
function fieldsOf(
  { schema, examples }: BodyKind,
  values: SchemaValues,
  agentName: fc.Arbitrary<string>,
  isWindowed: boolean,
): fc.Arbitrary<Fields> {
  const made = values.valid(schema) as fc.Arbitrary<Fields>;
  const { agent_id: namesAgent } = values.properties(schema);
  const base =
    examples.length === 0
      ? made
      : fc.oneof(
          { arbitrary: fc.constantFrom<Fields>(...examples), weight: isWindowed ? 4 : 1 },
          { arbitrary: made, weight: 1 },
        );
  return fc
    .tuple(base, made, fc.array(fc.nat(), { maxLength: 3 }), agentName)
    .map(([whole, other, picks, agent_id]) => {
      const taken = Object.entries(other).filter((_each, index, all) =>
        picks.some((n) => n % all.length === index),
      );
      const agent = namesAgent === undefined ? {} : { agent_id };
      return { ...whole, ...(isWindowed ? {} : Object.fromEntries(taken)), ...agent };
    });
}

/** Makes one change to a valid body that makes it invalid. */
function faultyFields(
  fields: fc.Arbitrary<Fields>,
  { schema }: BodyKind,
  values: SchemaValues,
): fc.Arbitrary<Fields> {
  const properties = Object.entries<any>(values.properties(schema));
  const invalid = fc
    .tuple(fields, fc.constantFrom(...properties))
    .chain(([whole, [name, property]]) =>
      values.invalid(property).map((value) => ({ ...whole, [name]: value })),
    );
  const hostile = fc
    .tuple(fields, fc.nat(), hostileJson)
    .map(([whole, n, value]) => replacedAt(whole, n, value) as Fields);
  const untimely = fc
    .tuple(fields, fc.nat(), instantText)
    .map(([whole, n, value]) => replacedAt(whole, n, value) as Fields);
  const missing = fc.tuple(fields, fc.nat()).map(([whole, n]) => {
    const names = Object.keys(whole);
    return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== names[n % names.length]));
  });
  const further = fc
    .tuple(fields, hostileText, hostileJson)
    .map(([whole, name, value]) => ownKey(whole, name, value));
  return fc.oneof(invalid, hostile, hostile, untimely, missing, further);
}

/** Replaces the n-th value, counting through all levels. */
export function replacedAt(root: unknown, n: number, value: unknown): unknown {
  const places: (string | number)[][] = [];
  const walk = (at: unknown, path: (string | number)[]): void => {
    if (path.length > 0) places.push(path);
    if (typeof at !== 'object' || at === null || at instanceof RawJson) return;
    for (const [step, child] of Object.entries(at)) walk(child, [...path, step]);
  };
  walk(root, []);
  const path = places[n % Math.max(1, places.length)];
  return path === undefined ? root : withValue(root, path, value);
}

function withValue(root: unknown, [step, ...rest]: (string | number)[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((child: unknown, index) =>
      String(index) === step ? withValue(child, rest, value) : child,
    );
  }
  const fields = root as Fields;
  return ownKey(fields, String(step), withValue(fields[step], rest, value));
}

/** Assigning to __proto__ would set the prototype instead. */
function ownKey(fields: Fields, name: string, value: unknown): Fields {
  return Object.defineProperty({ ...fields }, name, { value, enumerable: true, configurable: true });
}

function writtenAs(contentType: string, fields: Fields): Bodies {
  switch (contentType) {
    case 'application/json':
      return fc.constant({ contentType, content: Buffer.from(jsonText(fields)) });
    case 'application/x-www-form-urlencoded': {
      const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, asText(value)]);
      return fc.constant({ contentType, content: Buffer.from(new URLSearchParams(pairs).toString()) });
    }
    case 'multipart/form-data':
      return contactFile.map((file) => withContent(writtenForm(partsOf(fields, file))));
    default:
      throw new Error(`no test knows how to write ${contentType}`);
  }
}

const withContent = ({ contentType, body }: { contentType: string; body: Buffer }): WrittenBody => ({
  contentType,
  content: body,
});

const asText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));

/** Only campaign create accepts a file. */
function partsOf(fields: Fields, file: Buffer): Part[] {
  return Object.entries(fields).map(([name, value]) =>
    name === 'csv_file'
      ? { name, filename: 'contacts.csv', content: file }
      : { name, content: Buffer.from(asText(value)) },
  );
}

const broken = (fields: fc.Arbitrary<Fields>): Bodies =>
  fc
    .tuple(fields, contactFile, brokenForm)
    .map(([each, file, breaking]) => withContent(breaking(partsOf(each, file))));

const withHostileFile = (fields: fc.Arbitrary<Fields>): Bodies =>
  fc.tuple(fields, hostileFile).map(([each, file]) => withContent(writtenForm(partsOf(each, file))));

const MANGLINGS: ((content: Buffer, at: number) => Buffer)[] = [
  (content, at) => content.subarray(0, at),
  (content, at) => Buffer.concat([content.subarray(0, at), Buffer.from([0xff]), content.subarray(at)]),
  (content, at) =>
    Buffer.concat([content.subarray(0, at), Buffer.from([0xed, 0xa0, 0x80]), content.subarray(at)]),
  (content, at) => Buffer.concat([content.subarray(0, at), Buffer.from([0]), content.subarray(at)]),
  (content) => Buffer.concat([Buffer.from('\ufeff'), content]),
  (content) => Buffer.concat([content, content]),
  (content) => Buffer.from(content.toString(), 'utf16le'),
  (content) => Buffer.concat([Buffer.from('['), content, Buffer.from(']')]),
  () => Buffer.from('null'),
  () => Buffer.from('"text"'),
  () => Buffer.from('{'),
  () => Buffer.from(' '),
  () => Buffer.alloc(0),
];

const mangled = (bodies: Bodies): Bodies =>
  fc
    .tuple(bodies, fc.constantFrom(...MANGLINGS), fc.nat())
    .map(([body, mangle, n]) => ({ ...body, content: mangle(body.content, n % (body.content.length + 1)) }));

const CONTENT_TYPES = [
  null,
  '',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16le',
  'application/json; charset=iso-8859-1',
  'application/json; charset=bogus',
  'application/json; charset="',
  'application/json; charset=utf-8; charset=utf-16',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  'application/json, text/html',
  'application/json;;;',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-7',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  '*/*',
  'json',
  '/',
  '\xff',
];

const mislabelled = (bodies: Bodies): Bodies =>
  fc
    .tuple(bodies, fc.constantFrom(...CONTENT_TYPES))
    .map(([{ content }, contentType]) => ({ content, contentType }));

const ENCODINGS: [name: string, encode: (content: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip', (content) => content],
  ['gzip', (content) => gzipSync(content).subarray(0, -6)],
  ['deflate', (content) => content],
  ['br', (content) => content],
  ['identity', (content) => content],
  ['zstd', (content) => content],
  ['gzip, gzip', (content) => gzipSync(gzipSync(content))],
  ['GZIP', gzipSync],
  ['x'.repeat(100), (content) => content],
];

const encoded = (bodies: Bodies): Bodies =>
  fc.tuple(bodies, fc.constantFrom(...ENCODINGS)).map(([body, [contentEncoding, encode]]) => ({
    ...body,
    contentEncoding,
    content: encode(body.content),
  }));
