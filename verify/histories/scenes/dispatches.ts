/** Records dispatched calls: completed, after a wait, without a line, hung up and cancelled. */
import { workflowId } from '../../../workflows/contract';
import { callbackOf } from '../children';
import { numberEnding } from '../numbers';
import type { Recording } from '../recording';
import type { Stage } from '../stage';

/** Number that talks until the time limit. */
const ENDLESS = 73;
/** Number that requests a callback in a minute. */
const ASKS_FOR_CALLBACK = 98;

export async function recordDispatches(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const first = await customer.dispatch(numberEnding(0));
  const second = await customer.dispatch(numberEnding(0));
  await recording.keepClosed('dispatch-completed', workflowId.call(first));
  await recording.keepClosed('dispatch-waited-for-a-line', workflowId.call(second));
  const endless = await customer.dispatch(numberEnding(ENDLESS));
  await recording.untilSeen(workflowId.call(endless), 'TIMER_STARTED');
  const waiting = await customer.dispatch(numberEnding(0));
  await recording.keepClosed('dispatch-expired', workflowId.call(waiting));
  await recording.keep('open-dispatch-talks', workflowId.call(endless));
  await customer.hangUp(endless);
  await recording.keepClosed('dispatch-hung-up', workflowId.call(endless));
}

export async function recordCancelledCalls(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const talking = await customer.dispatch(numberEnding(ENDLESS));
  await recording.untilSeen(workflowId.call(talking), 'TIMER_STARTED');
  const waiting = await customer.dispatch(numberEnding(0));
  await recording.untilSeen(workflowId.call(waiting), 'TIMER_STARTED');
  await recording.keep('open-dispatch-waits', workflowId.call(waiting));
  await stage.temporal.workflow.getHandle(workflowId.call(waiting)).cancel();
  await recording.keepClosed('dispatch-cancelled-while-waiting', workflowId.call(waiting));
  await stage.temporal.workflow.getHandle(workflowId.call(talking)).cancel();
  await recording.keepClosed('dispatch-cancelled-while-talking', workflowId.call(talking));
}

/** The callback sleeps until it is due or until the legal window opens. The first call ends before that, when the callee hangs up. */
export async function recordCallback(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const asking = await customer.dispatch(numberEnding(ASKS_FOR_CALLBACK));
  const callback = await callbackOf(stage.temporal.workflow, asking);
  await recording.keepClosed('dispatch-asked-for-a-callback', workflowId.call(asking));
  await recording.untilSeen(callback, 'TIMER_STARTED');
  await recording.keep('open-callback-sleeps', callback);
  await customer.hangUp(callback);
  await recording.keepClosed('callback-hung-up', callback);
}
