import { errorText } from '../../dev/error-text';
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import {
  findTemporalCli,
  findTemporalServer,
  findTimeSkippingServer,
} from '../../dev/toolchain/temporal-tools';
import { startTemporal } from '../../dev/stack/temporal';
import type { ToolSearch } from '../../dev/toolchain/find-tool';
import type { Run } from './open-servers';
import { publish, type ServerKind } from './published';

/** Starts one development server for the run, in memory and without Web UI. Tests use separate task queues and ids. */
export async function openTemporal(run: Run): Promise<void> {
  await orMissing('temporal', async () => {
    const cli = await findTemporalCli(search(run, process.env.TEMPORAL_CLI_PATH));
    publish('TEST_TEMPORAL_CLI', cli.path);
    const temporal = await startTemporal({
      executable: cli.path,
      port: 0,
      uiPort: 'none',
      supervision: run.supervision,
      onProgress: run.onProgress,
      environment: process.env,
      logLevel: 'error',
    });
    run.closing.add('Temporal', temporal.stop);
    publish('TEST_TEMPORAL_ADDRESS', temporal.address);
  });
}

/** Only locates the server that production uses, which stores its state in Postgres. The test that needs it starts it. */
export async function openTemporalServer(run: Run): Promise<void> {
  await orMissing('temporal-server', async () => {
    const server = await findTemporalServer(search(run, process.env.TEMPORAL_SERVER_PATH));
    publish('TEST_TEMPORAL_SERVER', server.path);
  });
}

/** Only locates the server. Each test file starts its own, because a server has a single clock. */
export async function openTimeSkipping(run: Run): Promise<void> {
  await orMissing('time-skipping', async () => {
    const server = await findTimeSkippingServer(search(run, process.env.TEMPORAL_TEST_SERVER_PATH));
    publish('TEST_TIME_SKIPPING_SERVER', server.path);
  });
}

export function search(run: Run, configuredPath: string | undefined): ToolSearch {
  return {
    configuredPath,
    environment: process.env,
    cacheFolder: cacheFolder(process.env),
    onProgress: run.onProgress,
  };
}

export async function orMissing(kind: ServerKind, open: () => Promise<void>): Promise<void> {
  await open().catch((error: unknown) => {
    publish(`TEST_MISSING_${kind}`, errorText(error));
  });
}
