/** Temporal's SDK serves its metrics on a port of its native part. It listens on the loopback interface, and our own endpoint includes its metrics. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TelemetryOptions } from '@temporalio/worker';

const LOOPBACK = '127.0.0.1';
const ANSWER_WITHIN_MS = 2_000;

export interface SdkMetrics {
  telemetry: NonNullable<TelemetryOptions['metrics']>;
  /** Prometheus text; empty if the SDK doesn't respond. */
  text(): Promise<string>;
}

/** Finds a free port for `Runtime.install`, which fails if another process takes the port in between. */
export async function sdkMetrics(): Promise<SdkMetrics> {
  const bindAddress = `${LOOPBACK}:${await freePort()}`;
  return {
    telemetry: {
      prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
      attachServiceName: false,
    },
    async text() {
      try {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const response = await fetch(`http://${bindAddress}/metrics`, { signal });
        return response.ok ? await response.text() : '';
      } catch {
        return '';
      }
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('a server that listens has no port');
  return address.port;
}
