import * as doubted from '../../db/doubted-workflows';
import type { Repair } from '.';
import { eachOf } from './each-of';
import { DOUBT_LOOK_MS } from './lateness';

const lookOf = ({ clock }: Repair): doubted.Look => ({ now: clock(), lookAt: clock() + DOUBT_LOOK_MS });

/** For how long it has been doubted; 0 the first time. */
export async function doubtedForMs(repair: Repair, workflowId: string): Promise<number> {
  const look = lookOf(repair);
  return look.now - (await doubted.doubtWorkflow(repair.db, workflowId, look));
}

/** Counted while it lasts, and logged once. */
export async function reportStuck(
  repair: Repair,
  workflowId: string,
  fault: doubted.WorkflowFault,
): Promise<void> {
  if (await doubted.reportWorkflow(repair.db, workflowId, fault, lookOf(repair)))
    repair.log.warn({ workflow_id: workflowId, fault }, 'a workflow is stuck');
}

/**
 * Workflows that were reported, until they go on or have ended. None is terminated: one that is stuck costs a task in ten minutes and can do
 * no harm, as rows and ledger guard each of its steps, while its open history is what an engineer needs, and code that fits lets it end by
 * itself.
 */
export async function repairStuckWorkflows(repair: Repair): Promise<void> {
  const { db, workflows, clock } = repair;
  await doubted.forgetSettledDoubts(db);
  await eachOf(repair, await doubted.stuckWorkflows(db, clock()), async ({ workflowId, fault }) => {
    const state = await workflows.state(workflowId);
    const isStuck = state === 'stuck' || (state === 'running' && fault === 'does not conclude');
    if (isStuck) await doubted.lookAtWorkflowAgain(db, workflowId, clock() + DOUBT_LOOK_MS);
    else await doubted.trustWorkflow(db, workflowId);
  });
}
