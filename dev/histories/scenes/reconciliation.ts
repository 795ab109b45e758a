import { workflowId, WORKFLOW_TYPES } from '../../../workflows/contract';
import { eventually } from '../eventually';
import type { Recording } from '../recording';
import type { Stage } from '../stage';

/** One pass, as the schedule started it. */
export async function recordReconciliation(stage: Stage, recording: Recording): Promise<void> {
  const query = `WorkflowType = '${WORKFLOW_TYPES.reconcile}' AND ExecutionStatus = 'Completed'`;
  const pass = await eventually('a pass of the reconciliation', async () => {
    for await (const { workflowId: id, runId } of stage.temporal.workflow.list({ query }))
      return { id, runId };
    return null;
  });
  if (!pass.id.startsWith(workflowId.reconcile())) throw new Error('another workflow was found');
  await recording.keep('reconcile', pass.id, pass.runId);
}
