/** Tests which addresses a URL from the configuration can reach. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressRefused } from '../../../runtime/network/guarded-lookup';
import { createGuard, type Guard } from '../../../agent/network/guarded-agent';

let server: http.Server;
let port: number;
let requests = 0;

beforeAll(async () => {
  server = http.createServer((_request, response) => {
    requests += 1;
    response.end('inside');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
beforeEach(() => {
  requests = 0;
});

/** Resolves to the status or the error of a request. */
function ask(guard: Guard, address: string): Promise<number | Error> {
  return new Promise((resolve) => {
    const url = new URL(address);
    const request = http.get(url, { agent: guard.agentFor(url) }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', resolve);
  });
}

const refusal = (message: string): unknown => expect.objectContaining({ name: 'AddressRefused', message });

test.each([
  ['a host', () => ['127.0.0.1']],
  ['a host with its port', () => [`127.0.0.1:${port}`]],
])('reaches %s when the allow-list contains it', async (_what, allowedHosts) => {
  const guard = createGuard({ allowedHosts: allowedHosts() });
  expect(await ask(guard, `http://127.0.0.1:${port}/`)).toBe(200);
  expect(guard.isOpen(new URL(`http://127.0.0.1:${port}/`))).toBe(true);
});

test.each([
  ['another port', () => ['127.0.0.1:1']],
  ['another name', () => ['localhost']],
  ['a longer one', () => ['127.0.0.1.example']],
])('rejects the host when the allow-list contains %s', (_what, allowedHosts) => {
  const guard = createGuard({ allowedHosts: allowedHosts() });
  expect(() => guard.agentFor(new URL(`http://127.0.0.1:${port}/`))).toThrow(AddressRefused);
});

test("matches an allow-list entry with the protocol's default port", () => {
  const guard = createGuard({ allowedHosts: ['inner.example:443'] });
  for (const url of ['https://inner.example/', 'wss://inner.example/', 'http://INNER.example:443/'])
    expect([url, guard.isOpen(new URL(url))]).toEqual([url, true]);
  for (const url of ['http://inner.example/', 'ws://inner.example/', 'https://inner.example:8443/'])
    expect([url, guard.isOpen(new URL(url))]).toEqual([url, false]);
});

test('checks the resolved address of a name at each connection', async () => {
  const answers = [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['not an address'], []];
  const asked: string[] = [];
  const guard = createGuard({
    allowedHosts: [],
    resolve: (name) => {
      asked.push(name);
      return Promise.resolve(answers[asked.length - 1] ?? []);
    },
  });
  for (const _answer of answers.slice(0, 3))
    expect(await ask(guard, `http://inner.example:${port}/`)).toEqual(refusal('the address is private'));
  expect(await ask(guard, `http://inner.example:${port}/`)).toMatchObject({ code: 'ENOTFOUND' });
  expect([asked.length, requests]).toEqual([4, 0]);
});

test('rejects names of this machine without a DNS lookup', async () => {
  const resolve = jest.fn(() => Promise.resolve(['8.8.8.8']));
  const guard = createGuard({ allowedHosts: [], resolve });
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost'])
    expect(await ask(guard, `http://${name}:${port}/`)).toEqual(refusal('the address is private'));
  expect([resolve.mock.calls, requests]).toEqual([[], 0]);
});

test.each(['ftp://8.8.8.8/', 'file:///etc/passwd', 'data:text/plain,x'])(
  'rejects the protocol of %s',
  (url) => {
    expect(() => createGuard({ allowedHosts: [] }).agentFor(new URL(url))).toThrow(
      'the protocol is not supported',
    );
  },
);

test('rejects ports of other protocols', () => {
  const guard = createGuard({ allowedHosts: [] });
  for (const at of [22, 25, 6667])
    expect(() => guard.agentFor(new URL(`https://public.example:${at}/`))).toThrow('another protocol');
});
