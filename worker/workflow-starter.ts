import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type WorkflowClient,
} from '@temporalio/client';
import type { WorkflowStarter } from '../activities/dependencies';
import { TASK_QUEUE, WORKFLOW_TASK_TIMEOUT_MS } from '../workflows/contract';
import { ownedBy } from '../workflows/workflow-metadata';

/**
 * From this attempt of a workflow task on, its workflow counts as stuck. The server delays later attempts by seconds and then minutes, and
 * a task times out after three seconds. A worker that stalls for ten seconds therefore doesn't reach this number.
 */
const STUCK_TASK_ATTEMPTS = 5;

/** The largest page that Temporal allows. */
const OPEN_PAGE = 1_000;

/** Gives reconciliation access to workflows through a Temporal client. */
export function workflowStarter(client: WorkflowClient): WorkflowStarter {
  return {
    async startOnce(type, id, input, { againAfterClose = false, owner = {}, summary } = {}) {
      try {
        await client.start(type, {
          workflowId: id,
          taskQueue: TASK_QUEUE,
          args: [input],
          ...ownedBy(owner),
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
        const { status, raw } = await client.getHandle(id).describe();
        if (status.name !== 'RUNNING') return 'closed';
        return (raw.pendingWorkflowTask?.attempt ?? 0) >= STUCK_TASK_ATTEMPTS ? 'stuck' : 'running';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'missing';
        throw error;
      }
    },

    async *openSince(before) {
      const query = `ExecutionStatus = "Running" AND StartTime < "${new Date(before).toISOString()}"`;
      let page: string[] = [];
      for await (const { workflowId } of client.list({ query, pageSize: OPEN_PAGE })) {
        page.push(workflowId);
        if (page.length < OPEN_PAGE) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
  };
}
