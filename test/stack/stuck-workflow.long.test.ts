import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { installSilentRuntime } from '../../verify/histories/running';
import { workflowStarter } from '../../worker/workflow-starter';
import { describeWith } from '../servers/availability';
import { published } from '../servers/published';
import { eventuallyTrue } from './support/eventually';

/** The server delays the fifth attempt of a task by several seconds. */
const WITHIN_MS = 120_000;

describeWith('temporal', 'reconciliation', () => {
  test(
    'lists a workflow as stuck if its tasks keep failing, and as running otherwise',
    async () => {
      installSilentRuntime();
      const address = published('TEST_TEMPORAL_ADDRESS');
      const client = new Client({ connection: await Connection.connect({ address }) });
      const native = await NativeConnection.connect({ address });
      const taskQueue = randomUUID();
      const worker = await Worker.create({
        connection: native,
        taskQueue,
        workflowsPath: require.resolve('./support/gated-workflow'),
        activities: { first: () => new Promise<void>(() => undefined) },
      });
      const starter = workflowStarter(client.workflow);
      const start = (type: string) => client.workflow.start(type, { workflowId: randomUUID(), taskQueue });
      await worker.runUntil(async () => {
        const fails = await start('noWorkflowOfThisName');
        await eventuallyTrue(
          WITHIN_MS,
          'it is stuck',
          async () => (await starter.state(fails.workflowId)) === 'stuck',
        );
        await fails.terminate();
        expect(await starter.state(fails.workflowId)).toBe('closed');
      });
      // No worker runs any more, so the task of this workflow waits without failing.
      const waits = await start('gatedWorkflow');
      expect(await starter.state(waits.workflowId)).toBe('running');
      const open = async (before: number) => {
        const ids: string[] = [];
        for await (const page of starter.openSince(before)) ids.push(...page);
        return ids;
      };
      await eventuallyTrue(WITHIN_MS, 'it is listed as open', async () =>
        (await open(Date.now())).includes(waits.workflowId),
      );
      expect(await open(Date.now() - 3_600_000)).not.toContain(waits.workflowId);
      await waits.terminate();
      await eventuallyTrue(
        WITHIN_MS,
        'it is listed no more',
        async () => !(await open(Date.now())).includes(waits.workflowId),
      );
      await native.close();
      await client.connection.close();
    },
    WITHIN_MS + 30_000,
  );
});
