import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type WorkflowClient,
} from '@temporalio/client';
import type { WorkflowStarter } from '../activities/dependencies';
import { TASK_QUEUE } from '../workflows/contract';

/** What reconciliation does with workflows, over a Temporal client. */
export function workflowStarter(client: WorkflowClient): WorkflowStarter {
  return {
    async startOnce(type, id, input, { againAfterClose = false } = {}) {
      try {
        await client.start(type, {
          workflowId: id,
          taskQueue: TASK_QUEUE,
          args: [input],
          workflowIdReusePolicy: againAfterClose
            ? WorkflowIdReusePolicy.ALLOW_DUPLICATE
            : WorkflowIdReusePolicy.REJECT_DUPLICATE,
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },

    async state(id) {
      try {
        const { status } = await client.getHandle(id).describe();
        return status.name === 'RUNNING' ? 'running' : 'closed';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },
  };
}
