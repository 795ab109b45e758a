/** Replays the open workflows of a Temporal server with this build, before the build is deployed. */
import type { WorkflowBundleOption } from '@temporalio/worker';
import { openTemporal } from './open-temporal';
import { countOpen, openWorkflows } from './open-workflows';
import { ReplayReport, type Streams } from './report';
import { replayed } from './replayed';

export interface RunningOptions {
  environment: Readonly<Record<string, string | undefined>>;
  workflowBundle: WorkflowBundleOption;
  streams: Streams;
}

/** Returns true if all of them replay. Throws a `TemporalFault` if Temporal doesn't respond. */
export async function replayRunning({
  environment,
  workflowBundle,
  streams,
}: RunningOptions): Promise<boolean> {
  const temporal = await openTemporal(environment);
  try {
    const expected = await countOpen(temporal);
    streams.err.write(`Replaying about ${expected} open workflows of ${temporal.named} with this build\n`);
    const report = new ReplayReport(streams, expected);
    for await (const workflow of replayed(workflowBundle, openWorkflows(temporal))) report.add(workflow);
    report.end();
    return report.broken === 0;
  } finally {
    await temporal.close();
  }
}
