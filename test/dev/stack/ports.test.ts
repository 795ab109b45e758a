import { createServer } from 'node:net';
import { freePort, releasePort } from '../../../dev/stack/ports';

test('skips a port that is in use', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const wanted = typeof address === 'object' && address !== null ? address.port : 0;
  const port = await freePort(wanted);
  expect(port).toBeGreaterThan(wanted);
  releasePort(port);
  await new Promise((resolve) => taken.close(resolve));
});

test('assigns different ports to concurrent servers, and a released port again', async () => {
  const first = await freePort(0);
  const ports = await Promise.all([freePort(first), freePort(first)]);
  expect(new Set([first, ...ports]).size).toBe(3);
  [first, ...ports].forEach(releasePort);
  expect(await freePort(first)).toBe(first);
  releasePort(first);
});
