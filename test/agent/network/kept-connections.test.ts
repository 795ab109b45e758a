/** Connections between turns, to servers that count their connections. */
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
  // Acts like a host that keeps connections longer than Node's `fetch` does, and announces no limit.
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
  // Longer than Node's `fetch` keeps a connection by default.
  await sleep(5_500);
  await ask();
  expect(sockets).toHaveLength(1);
}, 15_000);

test('retries a request over a new connection when its connection closes before the answer', async () => {
  answer = (request, response) => {
    if (sockets.length === 1) request.socket.destroy();
    else response.end('yes');
  };
  expect(await ask()).toBe('yes');
  expect(sockets).toHaveLength(2);
});

test('sends a request twice at most, and never retries other failures', async () => {
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

test('ignores an unreachable host before there is a request', async () => {
  await expect(openConnection('http://127.0.0.1:1')).resolves.toBeUndefined();
});
