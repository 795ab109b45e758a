/** Records workflows that schedules start. */
import { RETENTION_SCHEDULE_ID, workflowId, WORKFLOW_TYPES } from '../../../workflows/contract';
import { eventually } from '../eventually';
import type { Recording } from '../recording';
import type { Stage } from '../stage';

export async function recordReconciliation(stage: Stage, recording: Recording): Promise<void> {
  await keepOne(stage, recording, {
    name: 'reconcile',
    type: WORKFLOW_TYPES.reconcile,
    id: workflowId.reconcile(),
  });
}

/** The schedule normally runs once a day. Here it is started immediately. */
export async function recordRetention(stage: Stage, recording: Recording): Promise<void> {
  await stage.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).trigger();
  await keepOne(stage, recording, {
    name: 'retention',
    type: WORKFLOW_TYPES.retention,
    id: workflowId.retention(),
  });
}

async function keepOne(
  { temporal }: Stage,
  recording: Recording,
  { name, type, id }: { name: string; type: string; id: string },
): Promise<void> {
  const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;
  const pass = await eventually(`a pass of ${name}`, async () => {
    for await (const { workflowId: found, runId } of temporal.workflow.list({ query }))
      return { id: found, runId };
    return null;
  });
  if (!pass.id.startsWith(id)) throw new Error('another workflow was found');
  await recording.keep(name, pass.id, pass.runId);
}
