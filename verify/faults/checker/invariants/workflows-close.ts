/**
 * 10. A workflow closes when what it is for is over, and none fails to replay its history.
 *
 * A call's workflow has until its webhooks are settled, a delivery's until its own is, a campaign's until the campaign has ended. Those of
 * schedules end by themselves.
 */
import type { OpenWorkflow } from '../evidence';
import type { Rows } from '../rows';
import type { Run } from '../run';

const SETTLED_CAMPAIGN: ReadonlySet<string> = new Set(['completed', 'cancelled']);

export function workflowsClose({ evidence, rows }: Run): string[] {
  return [
    ...leftOpen(evidence.openWorkflows, rows).map(
      ({ workflow_id, type }) => `${type} ${workflow_id} still runs though what it is for is over`,
    ),
    ...evidence.replayFailures.map(({ file, line }) => `a workflow did not replay (${file}:${line})`),
  ];
}

/** Those of the open workflows that Postgres gives no reason to be open. */
export function leftOpen(
  open: readonly OpenWorkflow[],
  rows: Pick<Rows, 'campaigns' | 'calls' | 'deliveries'>,
): OpenWorkflow[] {
  const pending = rows.deliveries.filter(({ status }) => status === 'pending');
  const awaited = new Set<string | null>(pending.map(({ call_id }) => call_id));
  const over = new Set([
    ...rows.calls
      .filter(({ call_id, stage }) => stage === 'over' && !awaited.has(call_id))
      .map(({ call_id }) => call_id),
    ...rows.deliveries.filter(({ status }) => status !== 'pending').map(({ id }) => `delivery-${id}`),
    ...rows.campaigns.filter(({ status }) => SETTLED_CAMPAIGN.has(status)).map(({ id }) => `campaign-${id}`),
  ]);
  return open.filter(({ workflow_id }) => over.has(workflow_id));
}
