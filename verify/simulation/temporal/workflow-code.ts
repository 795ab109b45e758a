/**
 * Runs the workflow bundle in the SDK's own runtime without its core: does in this process what a worker thread does with an activation.
 */
import { readFileSync } from 'node:fs';
import { TypedSearchAttributes } from '@temporalio/common';
import type { coresdk } from '@temporalio/proto';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker';
import Long from 'long';
import { TASK_QUEUE } from '../../../workflows/contract';
import type { Run } from './execution';

/** There is no time limit, because each call with a limit starts a watching thread, which took a third of a run's time. */
const NO_TIME_LIMIT = undefined as unknown as number;

export type ActivationJob = coresdk.workflow_activation.IWorkflowActivationJob;

export const protoTime = (ms: number) => ({
  seconds: Long.fromNumber(Math.floor(ms / 1_000)),
  nanos: Math.floor((ms % 1_000) * 1e6),
});

/** All workers and seeds share this, because the code keeps no state outside workflows. */
export class WorkflowCode {
  private constructor(private readonly creator: ReusableVMWorkflowCreator) {}

  static async load(
    bundle: string | { code: string },
    activityNames: readonly string[],
  ): Promise<WorkflowCode> {
    // The hook would record stack traces of all promises, which aren't needed here.
    globalHandlers.installed = true;
    const code = typeof bundle === 'string' ? readFileSync(bundle, 'utf8') : bundle.code;
    const parsed = parseWorkflowCode(code);
    return new WorkflowCode(
      await ReusableVMWorkflowCreator.create(parsed, NO_TIME_LIMIT, new Set(activityNames)),
    );
  }

  create(run: Run): Promise<Workflow> {
    const { runId, workflowId, type, startedMs } = run;
    const now = Math.floor(startedMs);
    return this.creator.createWorkflow({
      info: {
        workflowId,
        runId,
        workflowType: type,
        searchAttributes: {},
        typedSearchAttributes: new TypedSearchAttributes(),
        taskQueue: TASK_QUEUE,
        namespace: 'default',
        firstExecutionRunId: runId,
        startTime: new Date(now),
        runStartTime: new Date(now),
        taskTimeoutMs: run.taskTimeoutMs,
        attempt: 1,
        historyLength: 3,
        historySize: 0,
        continueAsNewSuggested: false,
        unsafe: { now: () => now, isReplaying: false, isReplayingHistoryEvents: false, random: () => 0.5 },
      } as unknown as Parameters<ReusableVMWorkflowCreator['createWorkflow']>[0]['info'],
      randomnessSeed: seedBytes(runId),
      now,
      showStackTraceSources: false,
    });
  }
}

function seedBytes(runId: string): number[] {
  const bytes = [...Buffer.from(runId.padStart(16, '0'))].slice(-8);
  return bytes;
}
