/**
 * One call attempt: wait for a line → dial → wait for its end → process → deliver. It ends in exactly one final status, whatever dies.
 *
 * What a call is to do is decided here; whether it may, and what happened, is decided by transactions in Postgres. Signals wake it;
 * each wait also has a deadline, after which the carrier is asked.
 */
import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { callRecord, carrier, conversationAnalysis, lines } from './activity-proxies';
import {
  callEndedSignal,
  callProgressQuery,
  hangUpSignal,
  lineGrantedSignal,
  searchAttributes,
  workflowId,
  type CallInput,
  type CallResult,
} from './contract';
import { deliverLater } from './delivery';
import { startApart } from './start-apart';
import { dialBackoffMs, DIAL_GIVE_UP_MS } from './domain/dial-backoff';
import type { CallStatus } from './domain/call-outcome';

/** How often, and how long apart, the carrier is asked about a call that is past its deadline before it is written off. */
const SETTLE_ATTEMPTS = 3;
const SETTLE_INTERVAL_MS = 10_000;

interface Call {
  input: CallInput;
  lineGranted: boolean;
  /** A person asked for its end, and the carrier was not told since. */
  hangUpAsked: boolean;
  /** The final status, once it stands in Postgres. */
  ended: CallStatus | null;
  /** What operators read. */
  step: string;
}

export async function callWorkflow(input: CallInput): Promise<CallResult> {
  const call = setup(input);
  try {
    await run(call);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => stop(call));
  }
  return CancellationScope.nonCancellable(() => conclude(call));
}

function setup(input: CallInput): Call {
  const call: Call = { input, lineGranted: false, hangUpAsked: false, ended: null, step: 'starting' };
  setHandler(lineGrantedSignal, () => void (call.lineGranted = true));
  setHandler(hangUpSignal, () => void (call.hangUpAsked = true));
  setHandler(callEndedSignal, ({ callStatus }) => void (call.ended ??= callStatus));
  setHandler(callProgressQuery, () => ({ step: call.step, callStatus: call.ended }));
  return call;
}

function show(call: Call, step: string): void {
  call.step = step;
  setCurrentDetails(step);
}

async function run(call: Call): Promise<void> {
  const { placed } = call.input;
  // A caller who rang us has their line and is with the carrier.
  if (placed !== undefined) return waitForEnd(call, placed.deadlineMs);
  if (await isOverBeforeDue(call)) return;
  await waitForLine(call);
  let unavailableSince: number | null = null;
  let refusals = 0;
  while (call.ended === null) {
    // Before the dial: a line granted while we dial is news, one granted before is not.
    call.lineGranted = false;
    const step = await carrier.dial({ callId: call.input.callId, now: Date.now() });
    switch (step.kind) {
      case 'placed':
        return waitForEnd(call, step.deadlineMs);
      case 'over':
        call.ended = step.callStatus;
        return;
      case 'noLine':
        // A pause may last for hours: what was unavailable before it says nothing.
        unavailableSince = null;
        await waitForLine(call);
        break;
      case 'paced':
        show(call, 'waiting for its turn: the trunk takes so many calls a second');
        await condition(() => call.ended !== null, step.waitMs, { summary: 'its turn on the trunk' });
        break;
      case 'unknown':
        show(call, 'the carrier did not answer: looking the call up');
        await condition(() => call.ended !== null, step.askAgainAfterMs, {
          summary: 'look the call up at the carrier',
        });
        break;
      case 'unavailable':
        unavailableSince ??= Date.now();
        if (Date.now() - unavailableSince >= DIAL_GIVE_UP_MS) {
          const { callId } = call.input;
          call.ended = await lines.endCall({ callId, endReason: step.endReason, now: Date.now() });
          return;
        }
        show(
          call,
          step.endReason === 'dnd_unverified'
            ? 'the do-not-disturb registry does not answer: asking again'
            : 'the carrier takes no calls at the moment: asking again',
        );
        await sleep(dialBackoffMs(++refusals, step.retryAfterMs), { summary: 'ask again' });
        break;
    }
  }
}

/** Waits until a callback is due; a person may hang it up before. */
async function isOverBeforeDue(call: Call): Promise<boolean> {
  const { notBefore } = call.input;
  if (notBefore === undefined || notBefore <= Date.now()) return false;
  const due = new Date(notBefore).toISOString().slice(0, 16).replace('T', ' ');
  show(call, `callback, due ${due} UTC`);
  return condition(() => call.ended !== null, notBefore - Date.now(), { summary: `callback due ${due} UTC` });
}

/** A dispatched call queues itself; a campaign's call is queued by its campaign, a page at a time. */
async function waitForLine(call: Call): Promise<void> {
  const { callId, clientId, campaignId, waitLimitMs } = call.input;
  show(call, 'waiting for a line');
  if (campaignId === undefined && !call.lineGranted) {
    const { granted } = await lines.requestLine({ callId, clientId, now: Date.now() });
    call.lineGranted ||= granted;
  }
  const awaited = () => call.lineGranted || call.ended !== null;
  if (waitLimitMs === undefined) await condition(awaited);
  else if (!(await condition(awaited, waitLimitMs, { summary: 'limit of the wait for a line' }))) {
    call.ended = await lines.endCall({ callId, endReason: 'line_wait_expired', now: Date.now() });
  }
}

async function waitForEnd(call: Call, deadlineMs: number): Promise<void> {
  show(call, `placed ${new Date().toISOString().slice(11, 19)} UTC: waiting for its end`);
  const deadline = Date.now() + deadlineMs;
  const awaited = () => call.ended !== null || call.hangUpAsked;
  while (await condition(awaited, Math.max(1, deadline - Date.now()), { summary: 'deadline of the call' })) {
    if (call.ended !== null) return;
    await hangUp(call);
  }
  await settle(call);
}

/** The carrier tells the end that this brings about. Where it could not be reached, the signal comes again. */
async function hangUp(call: Call): Promise<void> {
  call.hangUpAsked = false;
  show(call, 'hanging up: a person asked for it');
  const callStatus = await carrier.stopCall({ callId: call.input.callId, now: Date.now() });
  call.ended ??= callStatus;
}

/** The end was never told: asks the carrier, hangs up what still talks, and at last writes the call off so that its line is free. */
async function settle(call: Call): Promise<void> {
  for (let asked = 1; call.ended === null; asked++) {
    const giveUp = asked >= SETTLE_ATTEMPTS;
    call.ended = await carrier.settleCall({ callId: call.input.callId, giveUp, now: Date.now() });
    if (call.ended === null) {
      await condition(() => call.ended !== null, SETTLE_INTERVAL_MS, {
        summary: 'ask the carrier for its end',
      });
    }
  }
}

/** Cancelled by an operator. */
async function stop(call: Call): Promise<void> {
  if (call.ended !== null) return;
  show(call, 'cancelled by an operator: hanging up');
  call.ended = await carrier.stopCall({ callId: call.input.callId, now: Date.now() });
  await settle(call);
}

/** By rules at once, or by a language model where one is configured and somebody spoke: then nobody is told before it has answered. */
async function processed(call: Call, callStatus: CallStatus): ReturnType<typeof callRecord.concludeCall> {
  const { callId } = call.input;
  const conclusion = await callRecord.concludeCall({ callId, mayAnalyse: true, now: Date.now() });
  if (!conclusion.toAnalyse) return conclusion;
  show(call, `ended: ${callStatus}; a language model reads what was said`);
  try {
    await conversationAnalysis.analyseCall({ callId });
  } catch (error) {
    // It did not answer in time, or never will: the call is concluded by rules.
    if (!(error instanceof ActivityFailure)) throw error;
  }
  return callRecord.concludeCall({ callId, mayAnalyse: false, now: Date.now() });
}

async function conclude(call: Call): Promise<CallResult> {
  const callStatus = call.ended ?? 'error';
  show(call, `ended: ${callStatus}`);
  if (callStatus !== 'completed') {
    upsertSearchAttributes([{ key: searchAttributes.callStatus, value: callStatus }]);
  }
  const { undelivered, callback } = await processed(call, callStatus);
  if (callback !== null) {
    await startApart(callWorkflow, {
      workflowId: workflowId.call(callback.callId),
      input: callback,
      summary: `callback, client ${callback.clientId}`,
      owner: callback,
    });
  }
  if (undelivered !== null) {
    show(call, `ended: ${callStatus}; its webhook was refused and is tried again`);
    await deliverLater(undelivered);
  }
  return { callStatus };
}
