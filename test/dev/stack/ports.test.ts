import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { freePort, isFree, releasePort } from '../../../dev/stack/ports';
import { ANY_PORTS, giveMediaPorts } from '../../../dev/stack/stack-ports';

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

test.each(['livekitUdp', 'livekitTcp'] as const)(
  'skips a port that another program uses over UDP, for %s',
  async (name) => {
    const other = createSocket('udp4');
    await new Promise<void>((resolve) => other.bind(0, '127.0.0.1', resolve));
    const wanted = other.address().port;
    expect(await isFree(wanted)).toBe(true);
    const ports = await giveMediaPorts({ ...ANY_PORTS, [name]: wanted }, 0);
    expect(ports[name]).toBeGreaterThan(wanted);
    Object.values(ports).forEach(releasePort);
    await new Promise<void>((resolve) => other.close(resolve));
  },
);

test('skips a media port that another program uses over TCP on a different address', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve));
  const address = other.address();
  const wanted = typeof address === 'object' && address !== null ? address.port : 0;
  const ports = await giveMediaPorts({ ...ANY_PORTS, livekitTcp: wanted }, 0);
  expect(ports.livekitTcp).toBeGreaterThan(wanted);
  Object.values(ports).forEach(releasePort);
  await new Promise((resolve) => other.close(resolve));
});
