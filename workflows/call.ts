/**
 * A call attempt: wait for a line → dial → wait for its end → process → deliver. It ends in exactly one final status, even if any process
 * dies.
 *
 * The workflow decides what to do next. Transactions in Postgres decide whether that is allowed, and record what happened. Every wait ends
 * with a signal or a deadline, and the same step runs after either. Only the step's result decides how to continue ("Workflow code and
 * signals" in docs/architecture.md).
 */
import { ActivityFailure, CancellationScope, upsertSearchAttributes } from '@temporalio/workflow';
import type { Over } from '../activities/ending/attending';
import type { Conclusion } from '../activities/ending/concluding';
import { callRecord, conversationAnalysis } from './activity-proxies';
import { dialUntilPlaced, waitForLine, type Placed } from './call-dial';
import { openCall, showProgress, startTimer, step, untilEnded, type Call } from './call-state';
import { searchAttributes, workflowId, type CallInput, type CallResult } from './contract';
import { deliverLater } from './delivery';
import { startDetachedChild } from './start-detached-child';

export async function callWorkflow(input: CallInput): Promise<CallResult> {
  const call = openCall(input);
  // A cancellation is treated as a signal. Otherwise a replay could skip a step that is in the history.
  return CancellationScope.nonCancellable(async () => {
    // An inbound call already has its line and is at the carrier.
    const dialled = input.placed ?? (await dialWhenDue(call));
    return conclude(call, await waitForEnd(call, dialled));
  });
}

/** Returns null if the call was not placed and must be ended. */
async function dialWhenDue(call: Call): Promise<Placed | Over | null> {
  await waitUntilDue(call);
  return dialUntilPlaced(call, await waitForLine(call));
}

/** Waits until a callback is due, or until it is hung up before that. */
async function waitUntilDue(call: Call): Promise<void> {
  const { notBefore } = call.input;
  if (notBefore === undefined || notBefore <= Date.now()) return;
  const due = new Date(notBefore).toISOString().slice(0, 16).replace('T', ' ');
  showProgress(call, `callback, due ${due} UTC`);
  await untilEnded(call, startTimer(notBefore - Date.now(), `callback due ${due} UTC`));
}

/** Waits until the call is over. After the deadline or a cancellation, looks the call up at the carrier, and finally ends it as lost. */
async function waitForEnd(call: Call, dialled: Placed | Over | null): Promise<Over> {
  if (dialled !== null && 'callStatus' in dialled) return dialled;
  const { callId } = call.input;
  const deadline = dialled && startTimer(dialled.deadlineMs, 'deadline of the call');
  if (dialled !== null && dialled.isFound !== true) await untilEnded(call, deadline);
  let lookUps = 0;
  for (;;) {
    const attended = await step(call, callRecord.attendCall, {
      callId,
      now: Date.now(),
      stop: call.isCancelled,
      isLate: deadline?.isOver === true,
      lookUps,
    });
    if (attended.kind === 'over') return attended;
    lookUps = attended.lookUps;
    const { checkAgainAfterMs } = attended;
    showProgress(
      call,
      checkAgainAfterMs === null ? 'waiting for the end of the call' : 'looking the call up at the carrier',
    );
    const again =
      checkAgainAfterMs === null
        ? deadline
        : startTimer(checkAgainAfterMs, 'look the call up at the carrier');
    await untilEnded(call, again);
  }
}

async function conclude(call: Call, over: Over): Promise<CallResult> {
  const { callStatus } = over;
  call.ended = callStatus;
  showProgress(call, `ended: ${callStatus}`);
  if (callStatus !== 'completed') {
    upsertSearchAttributes([{ key: searchAttributes.callStatus, value: callStatus }]);
  }
  const { undelivered, attemptAfterMs, callback } = await processCall(call, over);
  if (callback !== null) {
    await startDetachedChild(callWorkflow, {
      workflowId: workflowId.call(callback.callId),
      input: callback,
      summary: `callback, organization ${callback.organizationId}`,
      owner: callback,
    });
  }
  if (undelivered !== null) {
    showProgress(call, `ended: ${callStatus}; its webhook is not accepted yet`);
    await deliverLater(undelivered, attemptAfterMs);
  }
  return { callStatus };
}

/** Applies the built-in rules. If a model is configured and the user spoke, waits for the model first. The webhook is sent afterwards. */
async function processCall(call: Call, over: Over): Promise<Omit<Conclusion, 'toAnalyse'>> {
  const { callId } = call.input;
  if (!over.toAnalyse) return over;
  showProgress(call, `ended: ${over.callStatus}; a language model analyses the transcript`);
  try {
    await conversationAnalysis.analyseCall({ callId });
  } catch (error) {
    // The model failed or took too long, so fall back to the built-in rules.
    if (!(error instanceof ActivityFailure)) throw error;
  }
  return callRecord.concludeCall({ callId, now: Date.now() });
}
