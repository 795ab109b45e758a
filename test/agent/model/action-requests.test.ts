/** Tests the requests that actions build from the arguments of a tool call. */
import type { HttpAction } from '../../../agent/model/actions/actions';
import { answerForModel, buildRequest } from '../../../agent/model/actions/http-request';
import { readActions } from '../../../agent/model/actions/read-actions';
import { IgnoredSettings } from '../../../agent/model/ignored-settings';
import { resolveConfig } from '../../../domain/agent-config';

const actionsIn = (actions: object) =>
  readActions(resolveConfig({ persona: { actions } }), new IgnoredSettings()).all;

const action = (more: object): HttpAction => {
  return actionsIn({
    a: { type: 'http_request', url: 'https://a.example/orders', ...more },
  })[0] as HttpAction;
};
const made = (more: object, given: object, variables: object = {}) => {
  const request = buildRequest(action(more), { ...given }, { ...variables });
  if (request.kind !== 'request') throw new Error(request.why);
  return request.request;
};
const TWO = {
  parameters: {
    type: 'object',
    properties: { id: { type: 'string' }, count: { type: 'integer' } },
    required: ['id'],
  },
};

test('adds GET parameters without a placeholder to the query, and drops parameters outside the schema', () => {
  expect(
    made({ ...TWO, url: 'https://a.example/orders/{{id}}?v=1' }, { id: 'x y', count: 2, more: 'no' }),
  ).toMatchObject({
    method: 'GET',
    url: 'https://a.example/orders/x%20y?v=1&count=2',
    body: null,
  });
});

test('sends the arguments of POST as JSON', () => {
  expect(made({ ...TWO, method: 'POST' }, { id: 'x', count: 2, more: 1 })).toMatchObject({
    url: 'https://a.example/orders',
    body: '{"id":"x","count":2}',
    headers: { 'Content-Type': 'application/json' },
  });
});

test('keeps the type of a value when its placeholder is the whole text of a JSON body field', () => {
  const body = {
    who: '{{name}}',
    n: '{{count}}',
    list: ['{{id}}', 1],
    text: 'For {{name}}: {{count}}',
    none: '{{nothing}}',
  };
  const { body: text } = made(
    { ...TWO, method: 'PUT', body },
    { id: 'i', count: 2 },
    { name: 'A "B" \\ C\n' },
  );
  expect(JSON.parse(text!)).toEqual({
    who: 'A "B" \\ C\n',
    n: 2,
    list: ['i', 1],
    text: 'For A "B" \\ C\n: 2',
    none: null,
  });
});

test.each([
  ['{"who": "{{name}}"}', {}, '{"who": "A \\"B\\" & C=1"}', 'application/json'],
  [
    'who={{name}}',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'who=A%20%22B%22%20%26%20C%3D1',
    undefined,
  ],
  ['Hello {{name}}', {}, 'Hello A "B" & C=1', 'text/plain; charset=utf-8'],
])('encodes values in the text body %s according to its content type', (body, headers, filled, type) => {
  const request = made({ method: 'POST', body, headers }, {}, { name: 'A "B" & C=1' });
  expect(request.body).toBe(filled);
  expect(request.headers['Content-Type']).toBe(type);
});

test('prevents values from adding a header', () => {
  const { headers } = made({ headers: { 'X-Name': 'n {{name}}' } }, {}, { name: 'a\r\nX-Evil: 1\0' });
  expect(headers).toEqual({ 'X-Name': 'n a X-Evil: 1 ' });
});

test("prefers the model's arguments to variables of the same name", () => {
  expect(
    made({ ...TWO, method: 'POST', body: { id: '{{id}}' } }, { id: 'given' }, { id: 'variable' }).body,
  ).toBe('{"id":"given"}');
});

test.each([
  [{}, 'id is missing: ask for it'],
  [{ id: null }, 'id is missing: ask for it'],
  [{ id: '..' }, 'a value has characters that an address cannot contain: ask for it again'],
])('rejects the arguments %j for a path segment in the middle of an address', (given, why) => {
  expect(buildRequest(action({ ...TWO, url: 'https://a.example/{{id}}/x' }), given, {})).toEqual({
    kind: 'rejected',
    why,
  });
});

test.each(
  [
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%252e%252e',
    '../x',
    'x/..',
    'x/../y',
    '..\\x',
    '/',
    'x/',
    '/x',
    'x//y',
    'x\\\\y',
    '%2f',
    '%5c',
    '..;v=1',
    ';v=1',
    ' .\n',
    '.\u200b.',
    '．．',
    '․․',
    '%00',
    '\u0000..',
    '.%00.',
    '\ud800..',
  ].map((id) => [id]),
)('rejects %j as a path segment', (id) => {
  for (const url of ['https://a.example/customers/{{id}}', 'https://a.example/{{id}}/x?v={{id}}']) {
    expect(buildRequest(action({ ...TWO, method: 'DELETE', url }), { id }, {})).toMatchObject({
      kind: 'rejected',
    });
  }
});

test('rejects two values that form a dot segment together', () => {
  const url = 'https://a.example/{{id}}{{rest}}/x';
  expect(buildRequest(action({ ...TWO, url }), { id: '.' }, { rest: '.' })).toMatchObject({
    kind: 'rejected',
  });
  expect(made({ ...TWO, url }, { id: 'a.' }, { rest: '.' }).url).toBe('https://a.example/a../x');
});

test.each([
  ['a?b=1#c', 'a%3Fb%3D1%23c'],
  ['@other.example', '%40other.example'],
  ['x&y', 'x%26y'],
  ['100%', '100%25'],
  ['v1.2', 'v1.2'],
  ['...', '...'],
])("encodes the value %j so that it can't change the structure of the address", (id, sent) => {
  expect(made({ ...TWO, url: 'https://a.example/c/{{id}}?q={{id}}&r=1' }, { id }).url).toBe(
    `https://a.example/c/${sent}?q=${sent}&r=1`,
  );
});

test('ignores an action with a placeholder whose name contains a slash', () => {
  expect(action({ url: 'https://a.example/{{a/b}}' })).toBeUndefined();
});

const CHECKED = {
  method: 'POST',
  parameters: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['open', 'paid'] },
      seats: { type: 'integer', minimum: 1, maximum: 2 },
      code: { type: 'string', pattern: '^[A-Z]{2}\\d$' },
      tags: { type: 'array', items: { $ref: '#/$defs/tag' }, maxItems: 2 },
      guest: { type: 'object', properties: { age: { type: 'integer' } }, additionalProperties: false },
    },
    $defs: { tag: { type: 'string', maxLength: 3 } },
    required: ['status'],
  },
};

test.each([
  [{ status: { $ne: null } }, /^status must be string/],
  [{ status: 'all' }, /status must be equal to one of the allowed values: \["open","paid"\]/],
  [{ status: 'open', seats: 99_999 }, /seats must be <= 2/],
  [{ status: 'open', seats: 0 }, /seats must be >= 1/],
  [{ status: 'open', seats: 1.5 }, /seats must be integer/],
  [{ status: 'open', seats: '2' }, /seats must be integer/],
  [{ status: 'open', code: 'ab1' }, /code must match pattern/],
  [{ status: 'open', tags: ['abcd'] }, /tags\/0 must NOT have more than 3 characters/],
  [{ status: 'open', tags: ['a', 'b', 'c'] }, /tags must NOT have more than 2 items/],
  [{ status: 'open', guest: { age: 3, admin: true } }, /guest must NOT have additional properties: "admin"/],
  [{ seats: 1 }, /status is missing/],
])('rejects the arguments %j and gives the reason', (given, why) => {
  const request = buildRequest(action(CHECKED), { ...given }, {});
  expect(request).toEqual({ kind: 'rejected', why: expect.stringMatching(why) });
});

test('rejects extra arguments when the schema sets additionalProperties to false', () => {
  const parameters = { ...CHECKED.parameters, additionalProperties: false };
  const request = buildRequest(action({ ...CHECKED, parameters }), { status: 'open', more: 1 }, {});
  expect(request).toMatchObject({ kind: 'rejected', why: expect.stringContaining('"more"') });
  expect(made({ ...CHECKED, parameters }, { status: 'open', seats: 2 }).body).toBe(
    '{"status":"open","seats":2}',
  );
});

test('checks arguments against anyOf in the schema, which is hidden from the model', () => {
  const parameters = { ...CHECKED.parameters, anyOf: [{ required: ['seats'] }, { required: ['code'] }] };
  expect(action({ ...CHECKED, parameters }).parameters).not.toHaveProperty('anyOf');
  expect(buildRequest(action({ ...CHECKED, parameters }), { status: 'open' }, {})).toMatchObject({
    kind: 'rejected',
  });
});

test('prevents values from adding properties to a JSON text body', () => {
  const body = '{"n": {{count}}, "who": "{{name}}", "list": [{{id}}]}';
  const sent = made(
    { method: 'POST', body, parameters: { properties: { id: { type: 'string' } } } },
    { id: '1, {"admin": true}' },
    { name: 'x", "admin": true, "y": "', count: '42' },
  );
  expect(JSON.parse(sent.body!)).toEqual({
    n: 42,
    who: 'x", "admin": true, "y": "',
    list: ['1, {"admin": true}'],
  });
});

test('escapes values in an XML body', () => {
  expect(made({ method: 'POST', body: '<a>{{name}}</a>' }, {}, { name: '</a><b c="1">' }).body).toBe(
    '<a>&#60;/a&#62;&#60;b c=&#34;1&#34;&#62;</a>',
  );
});

test('rejects a number that has already lost digits', () => {
  expect(buildRequest(action({ ...TWO, method: 'POST' }), { id: 'x', count: 2 ** 53 }, {})).toEqual({
    kind: 'rejected',
    why: 'a number has too many digits: give it as text, digit by digit',
  });
});

test('returns a shortened response to the model', () => {
  const answered = { kind: 'answered', status: 200, contentType: 'text/plain', isCut: false } as const;
  expect(answerForModel({ ...answered, body: ' {"a":1} ' })).toEqual({ status: 200, body: { a: 1 } });
  expect(answerForModel({ ...answered, body: 'plain' })).toEqual({ status: 200, body: 'plain' });
  expect(answerForModel({ ...answered, status: 404, body: '' })).toEqual({
    status: 404,
    error: 'the server rejected the request',
  });
  const cut = { status: 200, body: 'x'.repeat(4_000), note: 'this is only the beginning' };
  expect(answerForModel({ ...answered, body: 'x'.repeat(9_000) })).toEqual(cut);
  expect(answerForModel({ ...answered, body: '[1]', isCut: true })).toMatchObject({
    body: '[1]',
    note: cut.note,
  });
  expect(answerForModel({ kind: 'failed', why: 'no answer within 5 ms' })).toEqual({
    error: 'no answer within 5 ms',
  });
});
