import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo } from 'node:net';
import { listenerOn } from '../../../dev/doctor/listener';
import { portFindings, type PortSeen } from '../../../dev/doctor/port-checks';

const seen = (differences: Partial<PortSeen>): PortSeen => ({
  name: 'api',
  port: 8080,
  isFree: true,
  listener: null,
  ...differences,
});

test('free ports share a line, and one that is taken has its own with who has it and the variable', () => {
  const found = portFindings([
    seen({}),
    seen({ name: 'temporal', port: 7233 }),
    seen({
      name: 'simulator',
      port: 7080,
      isFree: false,
      listener: { pid: 12, command: '/bin/nginx -k secret' },
    }),
  ]);
  expect(found).toMatchObject([
    { state: 'ok', title: 'ports', found: 'free: 8080 API, 7233 Temporal' },
    {
      state: 'note',
      title: 'port 7080',
      found: 'taken by process 12 (nginx): the next free one is used for carrier',
      remedy: 'SIMULATOR_PORT=<port> npm start tries another first',
    },
  ]);
});

test('a port without a variable, and one whose listener is hidden, are noted all the same', () => {
  expect(portFindings([seen({ name: 'livekit', port: 7880, isFree: false })])).toMatchObject([
    {
      state: 'note',
      found: 'taken by another program: the next free one is used for LiveKit',
      onlyFor: 'npm start -- --livekit',
      remedy: null,
    },
  ]);
});

test('the process that listens on a port is found, on Linux, and none where nobody listens', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const listener = await listenerOn(port);
  await new Promise((resolve) => server.close(resolve));
  const mine = process.platform === 'linux' ? expect.objectContaining({ pid: process.pid }) : null;
  expect(listener).toEqual(mine);
  expect(await listenerOn(port)).toBeNull();
});

test('finds the process that receives on a UDP port, on Linux', async () => {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const listener = await listenerOn(socket.address().port);
  await new Promise<void>((resolve) => socket.close(resolve));
  expect(listener).toEqual(
    process.platform === 'linux' ? expect.objectContaining({ pid: process.pid }) : null,
  );
});
