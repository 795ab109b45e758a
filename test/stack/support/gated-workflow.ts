/**
 * The smallest workflow that gets stuck permanently if a signal arrives during a stalled task, because the signal decides whether a step
 * runs.
 */
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';

export const doneSignal = defineSignal('done');

const steps = proxyLocalActivities<{
  first(): Promise<void>;
  second(): Promise<void>;
  seen(): Promise<void>;
}>({
  startToCloseTimeout: '1m',
});

export async function gatedWorkflow(): Promise<void> {
  let isDone = false;
  setHandler(doneSignal, async () => {
    isDone = true;
    await steps.seen();
  });
  if (!isDone) await steps.first();
  await steps.second();
  await condition(() => false);
}
