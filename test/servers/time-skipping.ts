import { randomBytes } from 'node:crypto';
import { Connection } from '@temporalio/client';
import {
  InternalConnectionOptionsSymbol,
  type InternalConnectionOptions,
} from '@temporalio/client/lib/connection';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { temporal } from '@temporalio/proto';
import { WORKFLOW_TYPES } from '../../workflows/contract';
import { silent } from '../../dev/progress';
import { startTestServer, type RunningTestServer } from '../../dev/stack/temporal';
import { startWatchdog } from '../../dev/stack/watchdog';
import { published } from './published';

const { WORKFLOW_EXECUTION_STATUS_CANCELED: CANCELED, WORKFLOW_EXECUTION_STATUS_TERMINATED: TERMINATED } =
  temporal.api.enums.v1.WorkflowExecutionStatus;

/** A server process, and the watchdog that stops it if Jest is killed. */
interface OwnServer {
  running: RunningTestServer;
  stop: () => Promise<void>;
}

/** The test file's server. Null before it's started, and after its clock has become unusable. */
let current: Promise<OwnServer> | null = null;

afterAll(retire);

/**
 * Returns an environment in its own namespace. Call `teardown()` when done. The environments of a test file share a server, whose clock
 * only moves forward, so start from `currentTimeMs()`. Use `fresh` to get a new server for tests in which a child outlives its parent.
 * Unlike the SDK's `createTimeSkipping`, this function gives the server a minute to start.
 */
export async function timeSkippingEnvironment({ fresh = false } = {}): Promise<TestWorkflowEnvironment> {
  if (fresh) await retire();
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
    const isReusable = await this.clockStillSkips();
    await super.teardown();
    if (!isReusable) await retire();
  }

  /**
   * Returns false if a workflow was left open, cancelled, terminated or orphaned. Such a workflow locks the server's clock forever, so the
   * server must not be reused.
   */
  private async clockStillSkips(): Promise<boolean> {
    const { workflowService } = this.connection;
    const all = { namespace: this.namespace ?? 'default', maximumPageSize: 1000 };
    const { executions: open } = await workflowService.listOpenWorkflowExecutions(all);
    const { executions: closed } = await workflowService.listClosedWorkflowExecutions(all);
    const leaking = closed.filter(
      ({ status, type }) =>
        status === CANCELED || status === TERMINATED || type?.name === WORKFLOW_TYPES.campaign,
    );
    return open.length + leaking.length === 0;
  }
}
