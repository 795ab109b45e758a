import { ChildWorkflowCancellationType, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { WORKFLOW_TASK_TIMEOUT_MS } from './contract';
import { ownedBy, type Owner } from './workflow-metadata';

/** Starts a child that outlives its parent. Does nothing if the child already runs, for example because reconciliation has started it. */
export async function startDetachedChild<Input>(
  workflow: (input: Input) => Promise<unknown>,
  child: { workflowId: string; input: Input; summary: string; owner: Owner },
): Promise<void> {
  try {
    await startChild(workflow, {
      workflowId: child.workflowId,
      args: [child.input],
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: child.summary,
      ...ownedBy(child.owner),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
