/**
 * Reports workflows that are stuck or don't close. Never terminates one, because a stuck workflow does no harm, its history helps an
 * engineer, and it finishes once its code is fixed.
 */
import * as suspect from '../../db/reconciliation/suspect-workflows';
import type { Db } from '../../db/kernel/connection';
import { workflowId } from '../../workflows/contract';
import { pass, type Pass, type PassContext } from './pass';

/**
 * How often to check a suspect workflow. This is also how long a workflow with failing tasks has before its call is concluded without it.
 */
export const SUSPECT_CHECK_MS = 60_000;
/** How long a workflow can take to close after its call is concluded or its campaign has ended. The check runs at the same interval. */
const LEFT_OPEN_MS = 10 * 60_000;

export const WORKFLOW_PASSES: readonly Pass[] = [
  /** Checks reported workflows until they recover or close. */
  pass({
    name: 'repairStuckWorkflows',
    find: async ({ db, startedAt }) => {
      await suspect.removeClearedSuspects(db);
      return suspect.stuckWorkflows(db, startedAt);
    },
    repair: async ({ db, workflows, clock }, { workflowId, fault }) => {
      const state = await workflows.state(workflowId);
      const isStuck = state === 'stuck' || (state === 'running' && fault !== 'tasks fail');
      if (isStuck) await suspect.recheckWorkflow(db, workflowId, clock() + SUSPECT_CHECK_MS);
      else await suspect.trustWorkflow(db, workflowId);
    },
  }),
  /** Reports workflows that are open although their call or campaign is finished. */
  pass({
    name: 'reportLeftOpen',
    find: leftOpenWorkflows,
    repair: (context, id) => reportStuck(context, id, 'does not close'),
  }),
];

/** Lists all open workflows in Temporal, because a workflow that has nothing left to do shows in no database row. */
async function* leftOpenWorkflows({
  db,
  workflows,
  startedAt,
  leftOpen,
}: PassContext): AsyncGenerator<string[]> {
  const before = startedAt - LEFT_OPEN_MS;
  if (leftOpen.checkedAt > before) return;
  leftOpen.checkedAt = startedAt;
  for await (const page of workflows.openSince(before)) yield withoutWork(db, page, before);
}

async function withoutWork(db: Db, workflowIds: string[], before: number): Promise<string[]> {
  const prefix = workflowId.campaign('');
  const campaignIds = workflowIds.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const calls = await suspect.callsConcludedBefore(db, workflowIds, before);
  const campaigns = await suspect.campaignsEndedBefore(db, campaignIds, before);
  return [...calls.map(workflowId.call), ...campaigns.map(workflowId.campaign)];
}

const checkOf = ({ clock }: PassContext): suspect.Check => ({
  now: clock(),
  checkAt: clock() + SUSPECT_CHECK_MS,
});

/** Returns how long the workflow has been suspect, or 0 the first time. */
export async function suspectForMs(context: PassContext, workflowId: string): Promise<number> {
  const check = checkOf(context);
  return check.now - (await suspect.suspectWorkflow(context.db, workflowId, check));
}

/** Records a stuck workflow for the metrics, and logs it once. */
export async function reportStuck(
  context: PassContext,
  workflowId: string,
  fault: suspect.WorkflowFault,
): Promise<void> {
  if (await suspect.reportWorkflow(context.db, workflowId, fault, checkOf(context)))
    context.log.warn({ workflow_id: workflowId, fault }, 'a workflow is stuck');
}
