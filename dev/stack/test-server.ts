import { Connection } from '@temporalio/client';
import { during, type OnProgress } from '../progress';
import { freePort, releasePort } from './ports';
import { RunningProcess, type Supervision } from './processes';

export type RunningTestServer = { address: string; process: RunningProcess; stop: () => Promise<void> };

/**
 * Starts Temporal's time-skipping test server and resolves once it responds. The SDK's own start waits only 5 s, which is too short on a
 * busy machine. A server has a single clock, so don't share it between test files.
 */
export async function startTestServer(options: {
  executable: string;
  supervision: Supervision;
  onProgress: OnProgress;
  environment: NodeJS.ProcessEnv;
}): Promise<RunningTestServer> {
  const port = await freePort(0);
  const address = `127.0.0.1:${port}`;
  const server = new RunningProcess(
    {
      name: `time-skipping-server-${port}`,
      command: options.executable,
      args: [String(port)],
      env: options.environment,
      cwd: '/',
      ready: () => answers(address),
      readyTimeoutMs: 60_000,
      // The server stores nothing, and a JVM is slow to stop.
      graceMs: 2000,
    },
    options.supervision,
  );
  await during(options.onProgress, 'starting the time-skipping server', () => server.start());
  const stop = async () => {
    await server.kill();
    releasePort(port);
  };
  return { address, process: server, stop };
}

async function answers(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  await connection.close();
  return true;
}
