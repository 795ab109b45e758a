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

test('lists free ports in one line, and each used port with its process and variable', () => {
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
      found: 'in use by process 12 (nginx); carrier will use the next free port',
      remedy: 'set SIMULATOR_PORT to try another port first',
    },
  ]);
});

test('adds a note for a used port without a variable or with an unknown process', () => {
  expect(portFindings([seen({ name: 'livekit', port: 7880, isFree: false })])).toMatchObject([
    {
      state: 'note',
      found: 'in use by another program; LiveKit will use the next free port',
      onlyFor: 'npm start -- --livekit',
      remedy: null,
    },
  ]);
});

test('finds the process that listens on a TCP port on Linux, and none on a free port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const listener = await listenerOn(port);
  await new Promise((resolve) => server.close(resolve));
  const mine = process.platform === 'linux' ? expect.objectContaining({ pid: process.pid }) : null;
  expect(listener).toEqual(mine);
  expect(await listenerOn(port)).toBeNull();
});

test('finds the process that receives on a UDP port on Linux', async () => {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const listener = await listenerOn(socket.address().port);
  await new Promise<void>((resolve) => socket.close(resolve));
  expect(listener).toEqual(
    process.platform === 'linux' ? expect.objectContaining({ pid: process.pid }) : null,
  );
});
