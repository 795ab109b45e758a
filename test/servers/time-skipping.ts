import { Connection } from '@temporalio/client';
import {
  InternalConnectionOptionsSymbol,
  type InternalConnectionOptions,
} from '@temporalio/client/lib/connection';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { silent } from '../../dev/progress';
import { startTestServer, type RunningTestServer } from '../../dev/stack/test-server';
import { startWatchdog, type Watchdog } from '../../dev/stack/watchdog';
import { published } from './published';

/**
 * A time-skipping environment with a server of its own, for one test file: `beforeAll`, and `teardown()` in
 * `afterAll`. Unlike the SDK's `createTimeSkipping` it gives a slow machine a minute to start the server.
 */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const folder = published('TEST_SERVERS_FOLDER');
  const watchdog = startWatchdog();
  try {
    const server = await startTestServer({
      executable: published('TEST_TIME_SKIPPING_SERVER'),
      supervision: { logFolder: folder, runFolder: folder, watchdog },
      onProgress: silent,
      environment: process.env,
    });
    return await OwnServerEnvironment.on(server, watchdog);
  } catch (error) {
    watchdog.stop();
    throw error;
  }
}

class OwnServerEnvironment extends TestWorkflowEnvironment {
  private closeServer: () => Promise<void> = () => Promise.resolve();

  static async on(server: RunningTestServer, watchdog: Watchdog): Promise<OwnServerEnvironment> {
    const { address } = server;
    const options: InternalConnectionOptions = {
      address,
      [InternalConnectionOptionsSymbol]: { supportsTestService: true },
    };
    const environment = new OwnServerEnvironment(
      Runtime.instance(),
      { server: { type: 'existing' }, client: {}, plugins: [] },
      true,
      'existing',
      await Connection.connect(options),
      await NativeConnection.connect({ address }),
      'default',
      address,
    );
    environment.closeServer = async () => {
      await server.stop();
      watchdog.stop();
    };
    return environment;
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    await this.closeServer();
  }
}
