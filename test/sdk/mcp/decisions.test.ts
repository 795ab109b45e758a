/** Tests the MCP server's decisions that need no API. */
import { ApiError, ConnectionError } from '../../../sdk/typescript';
import { failureText } from '../../../mcp/failure-text';
import { bearerKey, isAdmitted } from '../../../mcp/http/serve';
import { readMcpSettings } from '../../../mcp/settings';
import { changedFields } from '../../../mcp/tools/agent-changes';
import { contactFile } from '../../../mcp/tools/campaign-changes';
import { sameNumber, search } from '../../../mcp/tools/search';

describe('the check of Host and Origin', () => {
  test.each([
    ['localhost:8090', undefined, true],
    ['127.0.0.1:8090', 'http://127.0.0.1:3000', true],
    ['[::1]:8090', 'http://localhost', true],
    ['mcp.example.com', undefined, true],
    ['MCP.example.com:443', 'https://mcp.example.com', true],
    ['evil.example.com:8090', undefined, false],
    ['localhost.evil.example.com', undefined, false],
    ['localhost:8090', 'https://evil.example.com', false],
    ['localhost:8090', 'null', false],
    ['', undefined, false],
    [undefined, undefined, false],
  ])('admits Host %s with Origin %s: %s', (host, origin, expected) => {
    expect(isAdmitted({ host, origin }, ['mcp.example.com'])).toBe(expected);
  });
});

test.each([
  ['Bearer vap_abc', 'vap_abc'],
  ['bearer  vap_abc', 'vap_abc'],
  ['Basic vap_abc', null],
  ['Bearer', null],
  ['Bearer a b', null],
  ['', null],
  [undefined, null],
])('parses Authorization: %s as the key %s', (header, key) => {
  expect(bearerKey(header)).toBe(key);
});

test('writes rows as CSV with the columns of all rows and every cell quoted', () => {
  const rows: Record<string, string | number>[] = [
    { name: 'Rao, "Asha"', phone_number: '+919876543210', city: 'Pune' },
    { name: 'Dev', phone_number: '09876543211', amount: 12.5 },
  ];
  expect(contactFile(rows)).toBe(
    '"name","phone_number","city","amount"\n"Rao, ""Asha""","+919876543210","Pune",""\n"Dev","09876543211","","12.5"\n',
  );
});

test.each([
  ['+91 98765 43210', true],
  ['09876543210', true],
  ['(9876) 543-210', true],
  ['43210', true],
  ['210', false],
  ['+919876543211', false],
  ['0000', false],
])('checks whether the search %s finds +919876543210: %s', (asked, expected) => {
  expect(sameNumber(asked)('+919876543210')).toBe(expected);
  expect(sameNumber(asked)(null)).toBe(false);
});

describe('a search', () => {
  async function* count(to: number) {
    for (let n = 1; n <= to; n += 1) yield await Promise.resolve(n);
  }
  const isEven = (n: number) => n % 2 === 0;

  test.each([
    ['to the end', 4, { max: 10, limit: 10 }, { found: [2, 4], searched: 4, searched_all: true }],
    ['up to its bound', 5, { max: 4, limit: 10 }, { found: [2, 4], searched: 4, searched_all: false }],
    ['until it has enough', 9, { max: 10, limit: 2 }, { found: [2, 4], searched: 4, searched_all: false }],
    ['exactly to the end', 4, { max: 4, limit: 2 }, { found: [2, 4], searched: 4, searched_all: true }],
  ])('searches %s and reports whether all items were searched', async (_what, to, bounds, expected) => {
    expect(await search(count(to), isEven, bounds)).toEqual(expected);
  });
});

test('lists each changed field of an agent with its previous and new value', () => {
  const stored = { a: { b: 1, c: [1, 2], same: 'x' }, text: 'old' };
  const changes = { a: { b: null, c: [1], same: 'x' }, text: { now: 'an object' }, fresh: { d: true } };
  expect(changedFields(stored, changes)).toEqual([
    { path: 'a.b', from: 1, to: null },
    { path: 'a.c', from: [1, 2], to: [1] },
    { path: 'text', from: 'old', to: { now: 'an object' } },
    { path: 'fresh.d', from: null, to: true },
  ]);
});

describe('the settings', () => {
  test('reports all invalid settings at once', () => {
    const env = { VOICE_API_URL: 'ftp://x', LOG_LEVEL: 'loud', MCP_PORT: '70000' };
    const read = () => readMcpSettings('stdio', env);
    for (const fault of [
      'VOICE_API_URL must',
      'LOG_LEVEL must',
      'VOICE_API_KEY is required',
      'MCP_PORT must',
    ])
      expect(read).toThrow(fault);
  });

  test('requires no key over HTTP, listens on localhost by default, and accepts host names in any case', () => {
    const env = {
      VOICE_API_URL: 'https://calls.example.com/',
      MCP_ALLOWED_HOSTS: 'MCP.example.com, b.example',
    };
    expect(readMcpSettings('http', env)).toEqual({
      apiUrl: 'https://calls.example.com',
      logLevel: 'info',
      modelConfirms: false,
      transport: {
        kind: 'http',
        host: '127.0.0.1',
        port: 8090,
        allowedHosts: ['mcp.example.com', 'b.example'],
      },
    });
  });
});

test.each([
  [
    new ApiError(404, 'CALL_NOT_FOUND', 'There is no such call', 'r-1', {}),
    'CALL_NOT_FOUND: There is no such call (request r-1)',
  ],
  [new ConnectionError('GET http://x got no response'), /did not answer/],
  [new TypeError('no number in +919876543210'), 'The tool failed (TypeError).'],
])('shows API errors to the model, but not the message of an unexpected error', (error, text) => {
  if (typeof text === 'string') expect(failureText(error)).toBe(text);
  else expect(failureText(error)).toMatch(text);
});
