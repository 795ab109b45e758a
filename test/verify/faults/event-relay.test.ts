import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventRelay } from '../../../verify/faults/network/event-relay';
import { Random } from '../../../verify/faults/random';
import { eventually } from '../../stack/support/eventually';

describe('the way of the events', () => {
  const taken: { path?: string; authorization?: string; body: string }[] = [];
  let api: http.Server;
  let relay: EventRelay;

  beforeEach(async () => {
    taken.length = 0;
    api = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        taken.push({ path: request.url, authorization: request.headers.authorization, body });
        response.writeHead(202).end('{"taken":true}');
      });
    });
    api.listen(0, '127.0.0.1');
    await once(api, 'listening');
    relay = await EventRelay.open((api.address() as AddressInfo).port, new Random(1));
  });
  afterEach(async () => {
    await relay.close();
    api.closeAllConnections();
    api.close();
  });

  const send = (body: string) =>
    fetch(`http://127.0.0.1:${relay.port}/api/carrier/events`, {
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body,
    });

  test('passes an event and its answer on', async () => {
    const answer = await send('one');
    expect([answer.status, await answer.json()]).toEqual([202, { taken: true }]);
    expect(taken).toEqual([{ path: '/api/carrier/events', authorization: 'Bearer x', body: 'one' }]);
  });

  test('brings every event twice while it shuffles', async () => {
    relay.shuffle(true);
    const answers = await Promise.all(['one', 'two', 'three'].map(send));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    await eventually(10_000, () =>
      expect(taken.map(({ body }) => body).sort()).toEqual(['one', 'one', 'three', 'three', 'two', 'two']),
    );
  });

  test('breaks the connection off where the API does not answer', async () => {
    api.closeAllConnections();
    api.close();
    await expect(send('one')).rejects.toThrow();
  });
});
