import { randomBytes } from 'node:crypto';
import { Connection } from '@temporalio/client';
import {
  InternalConnectionOptionsSymbol,
  type InternalConnectionOptions,
} from '@temporalio/client/lib/connection';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { silent } from '../../dev/progress';
import { startTestServer, type RunningTestServer } from '../../dev/stack/test-server';
import { startWatchdog } from '../../dev/stack/watchdog';
import { published } from './published';

/** A server process, and the watchdog that ends it when Jest is killed. */
interface OwnServer {
  running: RunningTestServer;
  stop: () => Promise<void>;
}

/** Of this test file, for as long as no test leaves a workflow open on it. */
let current: Promise<OwnServer> | null = null;

afterAll(retire);

/**
 * A time-skipping environment in a namespace of its own: `teardown()` when it is not needed any more. The environments of a test file
 * share a server, and with it the clock, which only goes forward: start from `currentTimeMs()`. A server on which a workflow is still
 * open at `teardown()` is not used again, because its clock stops for good where nobody polls for that workflow's tasks. Sharing took
 * the file of the call workflow from 72 to 20 seconds. Unlike the SDK's `createTimeSkipping` it gives a slow machine a minute to start
 * the server.
 */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  current ??= startServer();
  const { running } = await current;
  return SharedServerEnvironment.on(running.address);
}

async function startServer(): Promise<OwnServer> {
  const folder = published('TEST_SERVERS_FOLDER');
  const watchdog = startWatchdog();
  try {
    const running = await startTestServer({
      executable: published('TEST_TIME_SKIPPING_SERVER'),
      supervision: { logFolder: folder, runFolder: folder, watchdog },
      onProgress: silent,
      environment: process.env,
    });
    const stop = async () => {
      await running.stop();
      watchdog.stop();
    };
    return { running, stop };
  } catch (error) {
    watchdog.stop();
    throw error;
  }
}

async function retire(): Promise<void> {
  const retired = current;
  current = null;
  await (await retired)?.stop();
}

class SharedServerEnvironment extends TestWorkflowEnvironment {
  static async on(address: string): Promise<SharedServerEnvironment> {
    const options: InternalConnectionOptions = {
      address,
      [InternalConnectionOptionsSymbol]: { supportsTestService: true },
    };
    return new SharedServerEnvironment(
      Runtime.instance(),
      { server: { type: 'existing' }, client: {}, plugins: [] },
      true,
      'existing',
      await Connection.connect(options),
      await NativeConnection.connect({ address }),
      `test-${randomBytes(6).toString('hex')}`,
      address,
    );
  }

  override async teardown(): Promise<void> {
    const isClean = await this.hasNothingOpen();
    await super.teardown();
    if (!isClean) await retire();
  }

  private async hasNothingOpen(): Promise<boolean> {
    const { executions } = await this.connection.workflowService.listOpenWorkflowExecutions({
      namespace: this.namespace ?? 'default',
      maximumPageSize: 1,
    });
    return executions.length === 0;
  }
}
