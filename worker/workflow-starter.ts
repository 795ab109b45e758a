import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type WorkflowClient,
} from '@temporalio/client';
import type { WorkflowStarter } from '../activities/dependencies';
import { TASK_QUEUE, WORKFLOW_TASK_TIMEOUT_MS } from '../workflows/contract';
import { ownerAttributes } from '../workflows/shown-as';

/** What reconciliation does with workflows, over a Temporal client. */
export function workflowStarter(client: WorkflowClient): WorkflowStarter {
  return {
    async startOnce(type, id, input, { againAfterClose = false, owner = {}, summary } = {}) {
      try {
        await client.start(type, {
          workflowId: id,
          taskQueue: TASK_QUEUE,
          args: [input],
          typedSearchAttributes: ownerAttributes(owner),
          ...(summary === undefined ? {} : { staticSummary: summary }),
          workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
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
