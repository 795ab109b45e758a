/** Tests how connections are reused between turns, with a server that counts its connections. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import {
  fetchKept,
  keepConnections,
  openConnection,
  overNewConnection,
} from '../../../agent/network/kept-connections';

let server: Server;
let url: string;
let sockets: Socket[];
let answer: RequestListener;

beforeAll(() => {
  // Jest's sandbox has Node's `fetch`, but not the dispatcher behind it.
  keepConnections(runInThisContext('globalThis') as object);
});

beforeEach(async () => {
  sockets = [];
  answer = (_request, response) => response.end('yes');
  // Mimics a host that keeps connections longer than Node's `fetch` does, and sends no keep-alive limit.
  server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    request.resume();
    answer(request, response);
  });
  server.on('connection', (socket: Socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const ask = async (): Promise<string> => (await fetchKept(url, { method: 'POST', body: 'text' })).text();

test('reuses a connection that was opened five seconds before the request', async () => {
  await openConnection(url);
  // By default, Node's `fetch` would have closed the connection by then.
  await sleep(5_500);
  await ask();
  expect(sockets).toHaveLength(1);
}, 15_000);

test('retries a request on a new connection when its connection closes before the response', async () => {
  answer = (request, response) => {
    if (sockets.length === 1) request.socket.destroy();
    else response.end('yes');
  };
  expect(await ask()).toBe('yes');
  expect(sockets).toHaveLength(2);
});

test('sends a request at most twice, and never retries after other failures', async () => {
  answer = (request) => request.socket.destroy();
  await expect(ask()).rejects.toThrow();
  expect(sockets).toHaveLength(2);
  let times = 0;
  const refused = overNewConnection(() => {
    times += 1;
    return Promise.reject(new Error('refused'));
  });
  await expect(refused).rejects.toThrow('refused');
  expect(times).toBe(1);
});

test('ignores an unreachable host until the first request', async () => {
  await expect(openConnection('http://127.0.0.1:1')).resolves.toBeUndefined();
});
