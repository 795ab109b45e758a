/**
 * 10. A workflow closes when its work is over, and every workflow replays its history.
 *
 * A call's workflow may run until its webhooks are final, a delivery's workflow until the delivery is final, and a campaign's workflow
 * until the campaign ends. Workflows of schedules end on their own.
 */
import type { OpenWorkflow } from '../evidence';
import type { Rows } from '../rows';
import type { Run } from '../run';

const DRAINED_CAMPAIGN: ReadonlySet<string> = new Set(['completed', 'cancelled']);

export function workflowsClose({ evidence, rows }: Run): string[] {
  return [
    ...leftOpen(evidence.openWorkflows, rows).map(
      ({ workflow_id, type }) => `${type} ${workflow_id} is still open although its work is over`,
    ),
    ...evidence.replayFailures.map(({ file, line }) => `a workflow failed to replay (${file}:${line})`),
  ];
}

/** Returns open workflows that no row justifies. */
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
    ...rows.campaigns.filter(({ status }) => DRAINED_CAMPAIGN.has(status)).map(({ id }) => `campaign-${id}`),
  ]);
  return open.filter(({ workflow_id }) => over.has(workflow_id));
}
