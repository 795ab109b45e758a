import * as suspect from '../../db/reconciliation/suspect-workflows';
import type { Db } from '../../db/kernel/connection';
import { workflowId } from '../../workflows/contract';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { SUSPECT_CHECK_MS, LEFT_OPEN_MS } from './lateness';

const lookOf = ({ clock }: Repair): suspect.Look => ({ now: clock(), lookAt: clock() + SUSPECT_CHECK_MS });

/** Returns for how long the workflow has been suspect. 0 the first time. */
export async function suspectForMs(repair: Repair, workflowId: string): Promise<number> {
  const look = lookOf(repair);
  return look.now - (await suspect.suspectWorkflow(repair.db, workflowId, look));
}

/** Records a stuck workflow for the metrics, and logs it once. */
export async function reportStuck(
  repair: Repair,
  workflowId: string,
  fault: suspect.WorkflowFault,
): Promise<void> {
  if (await suspect.reportWorkflow(repair.db, workflowId, fault, lookOf(repair)))
    repair.log.warn({ workflow_id: workflowId, fault }, 'a workflow is stuck');
}

/**
 * Checks reported workflows until they recover or close. It terminates none: a stuck workflow is harmless, its history helps an engineer, and
 * fixed code lets it finish.
 */
export async function repairStuckWorkflows(repair: Repair): Promise<void> {
  const { db, workflows, clock } = repair;
  await suspect.removeClearedSuspects(db);
  await eachOf(repair, await suspect.stuckWorkflows(db, clock()), async ({ workflowId, fault }) => {
    const state = await workflows.state(workflowId);
    const isStuck = state === 'stuck' || (state === 'running' && fault !== 'tasks fail');
    if (isStuck) await suspect.lookAtWorkflowAgain(db, workflowId, clock() + SUSPECT_CHECK_MS);
    else await suspect.trustWorkflow(db, workflowId);
  });
}

/**
 * Reports workflows that are open although their call or campaign is finished. No row shows them, so this pass lists all open workflows.
 */
export async function reportLeftOpen(repair: Repair): Promise<void> {
  const { db, workflows, clock, leftOpen, hasTime } = repair;
  const before = clock() - LEFT_OPEN_MS;
  if (leftOpen.lookedAt > before) return;
  leftOpen.lookedAt = clock();
  for await (const page of workflows.openSince(before)) {
    const idle = await withoutWork(db, page, before);
    await eachOf(repair, idle, (id) => reportStuck(repair, id, 'does not close'));
    if (!hasTime()) break;
  }
}

async function withoutWork(db: Db, workflowIds: string[], before: number): Promise<string[]> {
  const prefix = workflowId.campaign('');
  const campaignIds = workflowIds.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const calls = await suspect.callsConcludedBefore(db, workflowIds, before);
  const campaigns = await suspect.campaignsEndedBefore(db, campaignIds, before);
  return [...calls.map(workflowId.call), ...campaigns.map(workflowId.campaign)];
}
