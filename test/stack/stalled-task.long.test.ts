import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { installSilentRuntime } from '../../verify/histories/running';
import { describeWith } from '../servers/availability';
import { published } from '../servers/published';
import { startDelayingProxy, type DelayingProxy } from './support/delaying-proxy';
import { eventuallyTrue } from './support/eventually';

const WITHIN_MS = 30_000;
const WORKFLOWS = { workflowsPath: require.resolve('./support/gated-workflow') };

/**
 * Reproduces the SDK behaviour in note 23. If this fails with a newer SDK, the behaviour may be fixed, and our rule may be unnecessary.
 */
describeWith(
  'temporal',
  'the SDK with a late workflow task that is repeated while a local activity runs',
  () => {
    let client: Client;
    let native: NativeConnection;
    let proxy: DelayingProxy;

    beforeEach(async () => {
      installSilentRuntime();
      const address = published('TEST_TEMPORAL_ADDRESS');
      client = new Client({ connection: await Connection.connect({ address }) });
      proxy = await startDelayingProxy(address);
      native = await NativeConnection.connect({ address: proxy.address });
    });
    afterEach(async () => {
      await native.close();
      proxy.close();
      await client.connection.close();
    });

    const eventually = (what: string, look: () => Promise<boolean> | boolean) =>
      eventuallyTrue(WITHIN_MS, what, async () => look());

    test("completes the second task with the first one's marker, which makes a replay nondeterministic", async () => {
      const taskQueue = randomUUID();
      const done: string[] = [];
      let mayEnd: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (mayEnd = resolve));
      const worker = await Worker.create({
        connection: native,
        taskQueue,
        ...WORKFLOWS,
        activities: {
          first: async () => {
            done.push('first');
            await ended;
          },
          second: () => void done.push('second'),
          seen: () => void done.push('seen'),
        },
      });
      proxy.hold();
      const history = await worker.runUntil(async () => {
        const handle = await client.workflow.start('gatedWorkflow', {
          workflowId: randomUUID(),
          taskQueue,
          workflowTaskTimeout: '10s',
        });
        await eventually('the task is on its way', () => proxy.held() === 1);
        await handle.signal('done');
        await eventually('it is given out again', () => proxy.held() === 2);
        proxy.release();
        await eventually('the local activity runs', () => done.length === 1);
        proxy.release();
        await eventually('the run sees the signal', () => done.includes('seen'));
        mayEnd();
        const markers = async () =>
          ((await handle.fetchHistory()).events ?? []).filter((event) => event.markerRecordedEventAttributes);
        await eventually('the task is answered', async () => (await markers()).length === 3);
        await handle.terminate();
        return handle.fetchHistory();
      });
      expect(done).toEqual(['first', 'seen', 'second']);
      await expect(Worker.runReplayHistory(WORKFLOWS, history)).rejects.toThrow(/TMPRL1100/);
    }, 120_000);
  },
);
