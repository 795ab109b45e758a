/**
 * One call attempt: wait for a line → dial → wait for its end → process → deliver. It ends in exactly one final status, whatever dies.
 *
 * What a call is to do is decided here; whether it may, and what happened, is decided by transactions in Postgres. Signals wake it;
 * each wait also has a deadline, after which the carrier is asked.
 *
 * What a local activity answered decides what follows, signals and the clock only when: after any wait, whatever ended it, the same step is
 * asked for, and its answer says what is to be done ("Workflow code and signals" in docs/architecture.md).
 */
import {
  ActivityFailure,
  CancellationScope,
  condition,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Answer } from '../activities/asked';
import type { Attended } from '../activities/attending';
import type { Conclusion } from '../activities/concluding';
import type { DialStep } from '../activities/dialling';
import type { Preparation, Prepared } from '../activities/preparing';
import { callRecord, carrier, conversationAnalysis, lines, preparation } from './activity-proxies';
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
import { dialBackoffMs } from './domain/dial-backoff';
import type { CallStatus } from './domain/call-outcome';

/** How many signals a call has received. */
export interface CallReceived {
  /** Lines granted. */
  grants: number;
  /** Ends, and requests to end it: by a hang-up, or by an operator who cancels the workflow. */
  ends: number;
}

const NOTHING: CallReceived = { grants: 0, ends: 0 };

/** The carrier has it: by the deadline its end has been told, or something is wrong. */
interface Placed {
  deadlineMs: number;
  asked: CallReceived;
}

interface Call {
  input: CallInput;
  received: CallReceived;
  /** An operator cancelled the workflow. */
  stopAsked: boolean;
  /** The final status, once it is known here. */
  ended: CallStatus | null;
  /** What operators read. */
  step: string;
}

type Over = Extract<Attended, { kind: 'over' }>;

export async function callWorkflow(input: CallInput): Promise<CallResult> {
  const call = setup(input);
  // A cancellation is one more signal here: it must not keep from a step that a replay finds in the history.
  return CancellationScope.nonCancellable(async () => {
    // A caller who rang us has their line and is with the carrier.
    const placed = input.placed === undefined ? await place(call) : { ...input.placed, asked: NOTHING };
    return conclude(call, await untilOver(call, placed));
  });
}

function setup(input: CallInput): Call {
  const call: Call = {
    input,
    received: { ...NOTHING },
    stopAsked: false,
    ended: null,
    step: 'starting',
  };
  setHandler(lineGrantedSignal, () => void (call.received.grants += 1));
  setHandler(hangUpSignal, () => void (call.received.ends += 1));
  setHandler(callEndedSignal, ({ callStatus }) => {
    call.received.ends += 1;
    call.ended ??= callStatus;
  });
  setHandler(callProgressQuery, () => ({ step: call.step, callStatus: call.ended }));
  CancellationScope.current().cancelRequested.catch(() => {
    call.received.ends += 1;
    call.stopAsked = true;
  });
  return call;
}

function show(call: Call, step: string): void {
  call.step = step;
  setCurrentDetails(step);
}

/** Null where nothing was placed: the call is over, or is to be. */
async function place(call: Call): Promise<Placed | null> {
  const { callId } = call.input;
  await untilDue(call);
  let lineBy = await untilLine(call, NOTHING);
  let unavailableSince: number | null = null;
  let refusals = 0;
  let prepared: Prepared = {};
  for (;;) {
    const { result: step, asked }: Answer<DialStep, CallReceived> = await carrier.dial({
      callId,
      now: Date.now(),
      stop: call.stopAsked,
      lineBy,
      unavailableSince,
      prepared,
      asked: { ...call.received },
    });
    prepared = step.kind === 'unprepared' ? { ...prepared, ...(await prepare(call, step.of)) } : {};
    switch (step.kind) {
      case 'unprepared':
        break;
      case 'placed':
        show(call, `placed ${new Date().toISOString().slice(11, 19)} UTC: waiting for its end`);
        return { deadlineMs: step.deadlineMs, asked };
      case 'over':
        return null;
      case 'noLine':
        // A pause may last for hours: what was unavailable before it says nothing.
        unavailableSince = null;
        lineBy = await untilLine(call, asked);
        break;
      case 'paced':
        show(call, 'waiting for its turn to be dialled');
        await untilEnded(call, asked, startTimer(step.waitMs, 'its turn on the trunk'));
        break;
      case 'unknown':
        show(call, 'the carrier did not answer: looking the call up');
        await untilEnded(call, asked, startTimer(step.askAgainAfterMs, 'look the call up at the carrier'));
        break;
      case 'unavailable':
        unavailableSince = step.since;
        show(
          call,
          step.endReason === 'dnd_unverified'
            ? 'the do-not-disturb registry does not answer: asking again'
            : 'the carrier takes no calls at the moment: asking again',
        );
        await untilEnded(call, asked, startTimer(dialBackoffMs(++refusals, step.retryAfterMs), 'ask again'));
        break;
    }
  }
}

/** Waits for whoever the dial found slow. What cannot be prepared in time is known as such to the dial, which gives the call up after a while. */
async function prepare(call: Call, of: Preparation): Promise<Prepared> {
  show(call, of === 'room' ? 'waiting for an agent' : 'asking the do-not-disturb registry');
  try {
    return await preparation.prepareDial({ callId: call.input.callId, of });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return of === 'room' ? { room: { isReady: false } } : { registry: { verdict: 'unavailable' } };
  }
}

/** Waits until a callback is due; a person may hang it up before. */
async function untilDue(call: Call): Promise<void> {
  const { notBefore } = call.input;
  if (notBefore === undefined || notBefore <= Date.now()) return;
  const due = new Date(notBefore).toISOString().slice(0, 16).replace('T', ' ');
  show(call, `callback, due ${due} UTC`);
  await untilEnded(call, NOTHING, startTimer(notBefore - Date.now(), `callback due ${due} UTC`));
}

/**
 * A dispatched call queues itself; a campaign's call is queued by its campaign, a page at a time. Returns until when the call may wait for a
 * line; null where its campaign says so.
 */
async function untilLine(call: Call, asked: CallReceived): Promise<number | null> {
  const { callId, clientId, campaignId, waitLimitMs } = call.input;
  show(call, 'waiting for a line');
  let known = asked;
  if (campaignId === undefined) {
    const request = await lines.requestLine({
      callId,
      clientId,
      now: Date.now(),
      asked: { ...call.received },
    });
    if (request.result.granted) return null;
    known = request.asked;
  }
  const limit = waitLimitMs === undefined ? null : startTimer(waitLimitMs, 'limit of the wait for a line');
  const lineBy = waitLimitMs === undefined ? null : Date.now() + waitLimitMs;
  const { received } = call;
  await condition(
    () => received.grants > known.grants || received.ends > known.ends || limit?.isOver === true,
  );
  return lineBy;
}

/** Until it is over. A call past its deadline, or one that is to be stopped, is asked for at the carrier and at last written off. */
async function untilOver(call: Call, placed: Placed | null): Promise<Over> {
  const { callId } = call.input;
  const deadline = placed && startTimer(placed.deadlineMs, 'deadline of the call');
  if (placed !== null) await untilEnded(call, placed.asked, deadline);
  let settled = 0;
  for (;;) {
    const { result, asked } = await callRecord.attendCall({
      callId,
      now: Date.now(),
      stop: call.stopAsked,
      isLate: deadline?.isOver === true,
      settled,
      asked: { ...call.received },
    });
    if (result.kind === 'over') return result;
    settled = result.settled;
    const { lookAgainAfterMs } = result;
    show(
      call,
      lookAgainAfterMs === null ? 'hanging up: a person asked for it' : 'asking the carrier for its end',
    );
    const again =
      lookAgainAfterMs === null ? deadline : startTimer(lookAgainAfterMs, 'ask the carrier for its end');
    await untilEnded(call, asked, again);
  }
}

interface Timer {
  isOver: boolean;
}

/**
 * Started before a wait looks whether it is over already, and never cancelled: a replay may know of a signal where the run still waited, and
 * the history has its timer. A timer that is left over wakes nobody, or one step too many.
 */
function startTimer(ms: number, summary: string): Timer {
  const timer = { isOver: false };
  void sleep(Math.max(1, ms), { summary }).then(() => (timer.isOver = true));
  return timer;
}

/** Until an end, or a request for one, of which the step that asked did not know; or until the time is over. */
function untilEnded({ received }: Call, asked: CallReceived, timer: Timer | null): Promise<void> {
  return condition(() => received.ends > asked.ends || timer?.isOver === true);
}

/** By rules at once, or by a language model where one is configured and somebody spoke: then nobody is told before it has answered. */
async function processed(call: Call, over: Over): Promise<Omit<Conclusion, 'toAnalyse'>> {
  const { callId } = call.input;
  if (!over.toAnalyse) return over;
  show(call, `ended: ${over.callStatus}; a language model reads what was said`);
  try {
    await conversationAnalysis.analyseCall({ callId });
  } catch (error) {
    // It did not answer in time, or never will: the call is concluded by rules.
    if (!(error instanceof ActivityFailure)) throw error;
  }
  return callRecord.concludeCall({ callId, mayAnalyse: false, now: Date.now() });
}

async function conclude(call: Call, over: Over): Promise<CallResult> {
  const { callStatus } = over;
  call.ended = callStatus;
  show(call, `ended: ${callStatus}`);
  if (callStatus !== 'completed') {
    upsertSearchAttributes([{ key: searchAttributes.callStatus, value: callStatus }]);
  }
  const { undelivered, attemptAfterMs, callback } = await processed(call, over);
  if (callback !== null) {
    await startApart(callWorkflow, {
      workflowId: workflowId.call(callback.callId),
      input: callback,
      summary: `callback, client ${callback.clientId}`,
      owner: callback,
    });
  }
  if (undelivered !== null) {
    show(call, `ended: ${callStatus}; its webhook is not accepted yet`);
    await deliverLater(undelivered, attemptAfterMs);
  }
  return { callStatus };
}
