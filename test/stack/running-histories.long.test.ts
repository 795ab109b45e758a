import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Dialled } from '../../activities/ending/attending';
import { fetchHistory } from '../../verify/histories/fetch-history';
import { installSilentRuntime } from '../../verify/histories/running';
import { repositoryRoot } from '../../dev/stack/repository';
import { run, type RunResult } from '../../dev/toolchain/run';
import { TASK_QUEUE, WORKFLOW_TYPES, workflowId, type CallInput } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { workflowBundle } from '../servers/bundle';
import { published } from '../servers/published';
import { bundleChanged } from '../workflows/support/changed-workflows';
import { eventuallyTrue } from './support/eventually';

const AN_HOUR_MS = 3_600_000;
const WITHIN_MS = 120_000;

/** Equivalent to `npm run histories -- --running`, but without the build. */
const replayRunning = (address: string): Promise<RunResult> =>
  run({
    command: process.execPath,
    args: [join(repositoryRoot(), 'dist', 'verify', 'histories', 'main.js'), '--running'],
    env: { PATH: process.env.PATH, TEMPORAL_ADDRESS: address },
    timeoutMs: WITHIN_MS,
  });

const linesOf = ({ output }: RunResult): string[] => output.trimEnd().split('\n');

describeWith('temporal', 'the check of running workflows before a deploy', () => {
  let client: Client;
  let native: NativeConnection;
  let open: string[] = [];

  beforeAll(async () => {
    installSilentRuntime();
    const address = published('TEST_TEMPORAL_ADDRESS');
    client = new Client({ connection: await Connection.connect({ address }) });
    native = await NativeConnection.connect({ address });
  });
  afterEach(async () => {
    await Promise.all(open.map((id) => client.workflow.getHandle(id).terminate()));
    open = [];
    await eventuallyTrue(30_000, 'Visibility knows of none', async () => (await countRunning()) === 0);
  });
  afterAll(async () => {
    await native.close();
    await client.connection.close();
  });

  /** Starts calls on a worker with this bundle, and waits until they talk or wait for a line. */
  async function begin(
    bundle: WorkflowBundleOption,
    calls: Record<string, 'talks' | 'waits'>,
  ): Promise<void> {
    const placed: Dialled = { kind: 'placed', deadlineMs: AN_HOUR_MS };
    const worker = await Worker.create({
      connection: native,
      taskQueue: TASK_QUEUE,
      workflowBundle: bundle,
      activities: {
        requestLine: ({ callId, asked }: CallInput & { asked: object }) => ({
          result: { granted: calls[callId] === 'talks' },
          asked,
        }),
        dial: ({ asked }: { asked: object }) => ({ result: placed, asked }),
      },
    });
    await worker.runUntil(Promise.all(Object.keys(calls).map(untilItSleeps)));
    await eventuallyTrue(
      30_000,
      'Visibility knows of all',
      async () => (await countRunning()) === open.length,
    );
  }

  const countRunning = async (): Promise<number> =>
    (await client.workflow.count(`TaskQueue = '${TASK_QUEUE}' AND ExecutionStatus = 'Running'`)).count;

  async function untilItSleeps(callId: string): Promise<void> {
    const input: CallInput = { callId, organizationId: 'a', agentId: 'b', waitLimitMs: AN_HOUR_MS };
    const id = workflowId.call(callId);
    const handle = await client.workflow.start(WORKFLOW_TYPES.call, {
      workflowId: id,
      taskQueue: TASK_QUEUE,
      args: [input],
    });
    open.push(id);
    await eventuallyTrue(30_000, `${callId} sleeps`, async () => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).some(({ timerStartedEventAttributes: timer }) => {
        const seconds = Number(timer?.startToFireTimeout?.seconds ?? 0);
        return seconds * 1000 === AN_HOUR_MS;
      });
    });
  }

  test(
    'replays workflows with the build that started them, and counts them by type',
    async () => {
      await begin(workflowBundle(), { talking: 'talks', waiting: 'waits' });
      const result = await replayRunning(published('TEST_TEMPORAL_ADDRESS'));
      expect(linesOf(result)).toEqual(
        expect.arrayContaining(['callWorkflow: 2 replay, 0 would break', 'All 2 replay.']),
      );
      expect(result.code).toBe(0);
    },
    WITHIN_MS,
  );

  test(
    'names each workflow that the build would break, with the reason, and counts the others',
    async () => {
      const otherBuild = await bundleChanged({
        file: 'call-dial.ts',
        before: /(const dialled: Dialled = await step\(call, carrier\.dial,)/,
        after: 'await sdk.sleep(1);\n    $1',
      });
      await begin(workflowBundle(), { waiting: 'waits' });
      await begin(otherBuild, { 'of-another-build': 'talks' });
      const result = await replayRunning(published('TEST_TEMPORAL_ADDRESS'));
      const lines = linesOf(result);
      expect(lines.filter((line) => line.includes('would break: '))).toEqual([
        expect.stringMatching(/^of-another-build \(callWorkflow\) would break: .*nondeterminism/i),
      ]);
      expect(lines).toEqual(
        expect.arrayContaining(['callWorkflow: 1 replay, 1 would break', '1 of 2 would break.']),
      );
      expect(result.code).toBe(1);
    },
    WITHIN_MS,
  );

  test('skips workflows whose history Temporal has deleted since it listed them', async () => {
    expect(await fetchHistory(client.workflow, 'nowhere-to-be-found')).toBeNull();
  });

  test(
    'checks nothing if Temporal is unreachable, and reports its address in one line',
    async () => {
      const result = await replayRunning('127.0.0.1:1');
      expect(linesOf(result)).toEqual([
        expect.stringMatching(/^Temporal \(namespace default at 127\.0\.0\.1:1\) gave no answer: /),
      ]);
      expect(result.code).toBe(2);
    },
    WITHIN_MS,
  );
});
