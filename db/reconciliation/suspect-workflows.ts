/** Suspect workflows, which are open but don't do what their row requires, and the faults reported for them. */
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

/**
 * `does not conclude`: the call is over, and the workflow ignores repeated signals although none of its tasks fail. `does not close`: the
 * call is concluded or the campaign has ended, but the workflow is still open.
 */
export type WorkflowFault = 'tasks fail' | 'does not conclude' | 'does not close';

export interface Check {
  now: number;
  /** When to check again. */
  checkAt: number;
}

/** Marks a workflow as suspect and returns when it was first marked. */
export async function suspectWorkflow(db: Db, workflowId: string, { now, checkAt }: Check): Promise<number> {
  const { since } = await onlyRow<{ since: Date }>(
    db,
    `insert into suspect_workflows (workflow_id, since, check_at) values (:workflowId, :now, :checkAt)
     on conflict (workflow_id) do update set check_at = excluded.check_at returning since`,
    { workflowId, now: timestamp(now), checkAt: timestamp(checkAt) },
  );
  return since.getTime();
}

/** Records the fault and returns whether it is new. */
export async function reportWorkflow(
  db: Db,
  workflowId: string,
  fault: WorkflowFault,
  { now, checkAt }: Check,
): Promise<boolean> {
  const reported = await rows(
    db,
    `insert into suspect_workflows as d (workflow_id, since, check_at, fault) values (:workflowId, :now, :checkAt, :fault)
     on conflict (workflow_id) do update set fault = excluded.fault where d.fault is distinct from excluded.fault returning 1`,
    { workflowId, fault, now: timestamp(now), checkAt: timestamp(checkAt) },
  );
  return reported.length > 0;
}

interface StuckWorkflow {
  workflowId: string;
  fault: WorkflowFault;
}

/** Returns reported workflows that are due for another check. */
export function stuckWorkflows(db: Db, now: number): Promise<StuckWorkflow[]> {
  return rows(
    db,
    `select workflow_id as "workflowId", fault from suspect_workflows
     where fault is not null and check_at < :now order by check_at limit 200`,
    { now: timestamp(now) },
  );
}

/** Removes suspect workflows that have concluded their call since. */
export async function removeClearedSuspects(db: Db): Promise<void> {
  await rows(
    db,
    `delete from suspect_workflows d using calls k where d.fault is null and k.call_id = d.workflow_id and k.concluded_at is not null`,
  );
}

export async function recheckWorkflow(db: Db, workflowId: string, checkAt: number): Promise<void> {
  await rows(db, 'update suspect_workflows set check_at = :checkAt where workflow_id = :workflowId', {
    workflowId,
    checkAt: timestamp(checkAt),
  });
}

export async function trustWorkflow(db: Db, workflowId: string): Promise<void> {
  await rows(db, 'delete from suspect_workflows where workflow_id = :workflowId', { workflowId });
}

/**
 * Returns the calls that were concluded before the instant and have no pending webhook. A pending webhook keeps the workflow open for up to
 * 13 min.
 */
export async function callsConcludedBefore(db: Db, callIds: string[], before: number): Promise<string[]> {
  const calls = await rows<{ id: string }>(
    db,
    `select call_id as id from calls k where call_id = any(:callIds) and concluded_at < :before
       and not exists (select 1 from webhook_deliveries d where d.call_id = k.call_id and d.status = 'pending')`,
    { callIds, before: timestamp(before) },
  );
  return calls.map(({ id }) => id);
}

/** Returns the campaigns that had ended before the instant. */
export async function campaignsEndedBefore(db: Db, campaignIds: string[], before: number): Promise<string[]> {
  const campaigns = await rows<{ id: string }>(
    db,
    'select id from campaigns where id = any(cast(:campaignIds as uuid[])) and ended_at < :before',
    { campaignIds, before: timestamp(before) },
  );
  return campaigns.map(({ id }) => id);
}
