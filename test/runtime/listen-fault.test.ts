import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenFault } from '../../runtime/network/http-server';
import { processRegistry, serveMetrics } from '../../runtime/observability/metrics-server';
import { serveHealth } from '../../worker/health';

test("names the variable and the allowed ports when the user can't open a port", () => {
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(listenFault(refused, 80, 'PORT')).toMatchObject({
    message: "This user can't open port 80. Set PORT to a port above 1023",
    cause: refused,
  });
});

test("gives any other reason in the system's words, with the variable", () => {
  const other = Object.assign(new Error('listen EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL' });
  expect(listenFault(other, 9464, 'METRICS_PORT').message).toBe(
    'Cannot listen on port 9464 (METRICS_PORT): listen EADDRNOTAVAIL',
  );
});

test('names the variables of the health and metrics servers when their ports are taken', async () => {
  const taker = createServer();
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  const { port } = taker.address() as AddressInfo;
  const taken = (variable: string) => `Port ${port} is already in use. Set ${variable} to a free port`;
  try {
    await expect(serveHealth(port, () => true)).rejects.toThrow(taken('WORKER_HEALTH_PORT'));
    const metrics = serveMetrics({ host: '127.0.0.1', port, variable: 'METRICS_PORT' }, processRegistry());
    await expect(metrics).rejects.toThrow(taken('METRICS_PORT'));
  } finally {
    await new Promise((resolve) => taker.close(resolve));
  }
});
