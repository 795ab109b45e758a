/** Generates requests for an operation of the document, from valid to hostile. */
import fc from 'fast-check';
import type { Operation, Parameter } from '../support/operations';
import { parametersIn } from '../support/operations';
import { bodiesOf, type WrittenBody } from './bodies';
import { hostileEncoding, hostileText, instantText, percentEncoded } from './hostile';
import type { SchemaValues } from './schema-values';
import type { WireRequest } from './wire';
import type { World } from './world';

/** A request whose ids are chosen when it is sent, from the rows that exist then. */
export type Draft = (world: World) => WireRequest;

type Texts = fc.Arbitrary<string>;
/** A value that is chosen when the request is sent. */
type Filled = fc.Arbitrary<(world: World) => string>;

const times = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

export function draftsOf(operation: Operation, values: SchemaValues): fc.Arbitrary<Draft> {
  return fc
    .record({
      method: methodsFor(operation),
      path: pathsOf(operation),
      query: queriesOf(operation, values),
      headers: headersOf(operation, values),
      body: bodies(operation, values),
      agent: fc.nat(),
    })
    .map(({ method, path, query, headers, body, agent }) => (world) => {
      const written = withAgent(body, world.agentName(agent));
      return {
        method,
        path: path(world) + query(world),
        headers: [['X-API-Key', world.owner.key], ...headers, ...headersFor(written)],
        body: written?.content ?? null,
      };
    });
}

/** Assumes that the document describes no OPTIONS or HEAD operation. */
const methodsFor = ({ method }: Operation): Texts =>
  fc.oneof(
    times(60, fc.constant(method)),
    times(1, fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'DELETE', 'PUT')),
  );

function pathsOf(operation: Operation): Filled {
  const parts = operation.path.split('/').map((segment): Filled => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? fc.constant(() => segment) : idsFor(name, operation.name);
  });
  return fc
    .tuple(fc.tuple(...parts), fc.oneof(times(30, fc.constant('')), times(1, fc.constantFrom('/', '//'))))
    .map(
      ([segments, end]) =>
        (world) =>
          segments.map((segment) => segment(world)).join('/') + end,
    );
}

function idsFor(name: string, operation: string): Filled {
  const existing = fc.nat().map((n) => (world: World) => world.idFor(name, operation, n));
  const unknown = fc.uuid().map((id) => () => id);
  return fc.oneof(
    times(16, existing),
    times(2, unknown),
    times(
      1,
      existing.map((id) => (world: World) => id(world).toUpperCase()),
    ),
    times(
      2,
      hostileText.map((text) => () => percentEncoded(text.slice(0, 3000))),
    ),
    times(
      1,
      hostileEncoding.map((text) => () => text),
    ),
  );
}

function queriesOf(operation: Operation, values: SchemaValues): Filled {
  const parameters = parametersIn(operation, 'query');
  const known = parameters.map((parameter) => pairsFor(parameter, operation.name, values));
  const more = fc.oneof(
    times(
      12,
      fc.constant(() => ''),
    ),
    times(
      1,
      fc.tuple(hostileText, hostileText).map(
        ([name, value]) =>
          () =>
            pair(name.slice(0, 200), value.slice(0, 2000)),
      ),
    ),
    times(
      1,
      fc.tuple(hostileEncoding, hostileEncoding).map(
        ([name, value]) =>
          () =>
            `${name}=${value}`,
      ),
    ),
    times(
      1,
      fc
        .constantFrom('__proto__[polluted]=true', 'a[__proto__]=1', '&&&===', '=', '%00=%00')
        .map((text) => () => text),
    ),
  );
  return fc.tuple(...known, more).map((pairs) => (world) => {
    const given = pairs.map((each) => each(world)).filter((text) => text !== '');
    return given.length === 0 ? '' : `?${given.join('&')}`;
  });
}

/** Omits the parameter half of the time. */
function pairsFor({ name, schema }: Parameter, operation: string, values: SchemaValues): Filled {
  const valid = values.valid(schema).map((value) => () => pair(name, String(value)));
  const invalid = values
    .invalid(schema)
    .map((value) => () => pair(name, typeof value === 'string' ? value : JSON.stringify(value)));
  const hostile = hostileText.map((text) => () => pair(name, text.slice(0, 3000)));
  const raw = hostileEncoding.map((text) => () => `${name}=${text}`);
  const twice = values
    .valid(schema)
    .map((value) => () => `${pair(name, String(value))}&${pair(name, String(value))}`);
  const listed = fc
    .constantFrom('[]', '[0]', '[a]', '[__proto__]')
    .map((suffix) => () => `${name}${suffix}=1`);
  const existing = name.endsWith('_id')
    ? [
        times(
          10,
          fc.nat().map((n) => (world: World) => pair(name, world.idFor(name, operation, n))),
        ),
      ]
    : [];
  return fc.oneof(
    times(
      36,
      fc.constant(() => ''),
    ),
    times(20, valid),
    ...existing,
    ...(isInstant(schema)
      ? [
          times(
            20,
            instantText.map((text) => () => pair(name, text)),
          ),
        ]
      : []),
    times(3, invalid),
    times(5, hostile),
    times(2, raw),
    times(1, twice),
    times(1, listed),
  );
}

/** Recognizes the field by its examples, because the document has no format for a value that is either a date or a timestamp. */
const isInstant = ({ examples = [] }: any): boolean =>
  examples.some((example: unknown) => /^\d{4}-\d\d-\d\d/.test(String(example)));

const pair = (name: string, value: string): string => `${percentEncoded(name)}=${percentEncoded(value)}`;

/** Text that a header can hold, so without line breaks. */
const headerText: Texts = hostileText.map((text) =>
  Buffer.from(text.slice(0, 2000), 'utf8')
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, ''),
);

type Header = [name: string, value: string];

function headersOf(operation: Operation, values: SchemaValues): fc.Arbitrary<Header[]> {
  const own = parametersIn(operation, 'header').map(({ name, schema }) =>
    fc.oneof(
      times(6, fc.constant<Header[]>([])),
      times(
        2,
        values.valid(schema).map((value): Header[] => [[name, String(value).replace(/[^\x20-\x7e]/g, '?')]]),
      ),
      // Use few values, so that some repeat.
      times(
        1,
        fc.nat(20).map((n): Header[] => [[name, `again-${n}`]]),
      ),
      times(
        1,
        headerText.map((value): Header[] => [[name, value]]),
      ),
    ),
  );
  const common = fc.oneof(
    times(12, fc.constant<Header[]>([])),
    times(
      1,
      fc
        .constantFrom('text/plain', '*/*', 'application/xml', '', 'a/b;q=x', '\xff')
        .map((value): Header[] => [['Accept', value]]),
    ),
    times(
      1,
      headerText.map((value): Header[] => [['X-Request-Id', value]]),
    ),
    times(
      1,
      headerText.map((value): Header[] => [
        ['X-Forwarded-For', value],
        ['X-HTTP-Method-Override', 'DELETE'],
      ]),
    ),
    times(1, fc.constant<Header[]>([['Transfer-Encoding', 'chunked']])),
    times(
      1,
      fc
        .constantFrom('bytes=0-10', 'bytes=-1', 'bytes=9-1', 'x')
        .map((value): Header[] => [['Range', value]]),
    ),
    times(
      1,
      fc.constantFrom('Mon, 01 Jan 2029 00:00:00 GMT', 'never').map((value): Header[] => [
        ['If-Modified-Since', value],
        ['If-None-Match', '*'],
      ]),
    ),
  );
  return fc.tuple(common, ...own).map((lists) => lists.flat());
}

/** Placeholder for an agent in a body, replaced once the agents are known. */
const AGENT = '@@agent@@';

function bodies(operation: Operation, values: SchemaValues): fc.Arbitrary<WrittenBody | null> {
  const options = {
    agentName: fc.oneof(times(12, fc.constant(AGENT)), times(1, fc.uuid()), times(1, hostileText)),
    // Days, times and numbers of a campaign only make sense together.
    isWindowed: [
      'POST /api/campaigns/create',
      'POST /api/campaigns/simulate',
      'PUT /api/campaigns/{campaign_id}',
    ].includes(operation.name),
  };
  const unasked = fc.constantFrom<WrittenBody>(
    { contentType: 'application/json', content: Buffer.from('{"__proto__":{"polluted":true}}') },
    { contentType: 'text/plain', content: Buffer.from('\0') },
  );
  if (operation.bodies.length === 0) return fc.oneof(times(20, fc.constant(null)), times(1, unasked));
  return fc.oneof(
    times(30, fc.oneof(...operation.bodies.map((kind) => bodiesOf(kind, values, options)))),
    times(1, fc.constant(null)),
  );
}

function withAgent(body: WrittenBody | null, agent: string): WrittenBody | null {
  if (body === null || !body.content.includes(AGENT)) return body;
  const content = Buffer.from(body.content.toString('latin1').replaceAll(AGENT, agent), 'latin1');
  return { ...body, content };
}

function headersFor(body: WrittenBody | null): Header[] {
  if (body === null) return [];
  const type: Header[] = body.contentType === null ? [] : [['Content-Type', body.contentType]];
  return body.contentEncoding === undefined ? type : [...type, ['Content-Encoding', body.contentEncoding]];
}
