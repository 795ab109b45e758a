/** From the wait for a line to the call that the carrier has, or to what came of it instead. */
import { ActivityFailure } from '@temporalio/workflow';
import type { Answer } from '../activities/asked';
import type { DialStep } from '../activities/dialling/dialling';
import type { Preparation, Prepared } from '../activities/dialling/preparing';
import { carrier, lines, preparation } from './activity-proxies';
import { setStep, startTimer, untilEnded, untilGranted, type Call, type CallReceived } from './call-state';
import { dialBackoffMs } from '../domain/dial-backoff';

/** The carrier has it: by the deadline its end is reported, or something is wrong. */
export interface Placed {
  deadlineMs: number;
  asked: CallReceived;
}

/**
 * A dispatched call queues itself; a campaign's call is queued by its campaign, a page at a time. Returns until when the call may wait for a
 * line; null where its campaign says so.
 */
export async function waitForLine(call: Call, asked: CallReceived): Promise<number | null> {
  const { callId, clientId, campaignId, waitLimitMs } = call.input;
  setStep(call, 'waiting for a line');
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
  await untilGranted(call, known, limit);
  return lineBy;
}

/** Null where nothing was placed: the call is over, or is to be. */
export async function dialUntilPlaced(call: Call, firstLineBy: number | null): Promise<Placed | null> {
  const { callId } = call.input;
  let lineBy = firstLineBy;
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
        setStep(call, `placed ${new Date().toISOString().slice(11, 19)} UTC: waiting for its end`);
        return { deadlineMs: step.deadlineMs, asked };
      case 'over':
        return null;
      case 'noLine':
        // A pause may last for hours: what was unavailable before it says nothing.
        unavailableSince = null;
        lineBy = await waitForLine(call, asked);
        break;
      case 'paced':
        await waitForTurnOnTrunk(call, asked, step.waitMs);
        break;
      case 'unknown':
        setStep(call, 'the carrier did not answer: looking the call up');
        await untilEnded(call, asked, startTimer(step.askAgainAfterMs, 'look the call up at the carrier'));
        break;
      case 'unavailable':
        unavailableSince = step.since;
        await backOff(call, asked, step, ++refusals);
        break;
    }
  }
}

/** Waits for the service that the dial found slow. What cannot be prepared in time is known as such to the dial, which gives the call up after a while. */
async function prepare(call: Call, of: Preparation): Promise<Prepared> {
  setStep(call, of === 'room' ? 'waiting for an agent' : 'asking the do-not-disturb registry');
  try {
    return await preparation.prepareDial({ callId: call.input.callId, of });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return of === 'room' ? { room: { isReady: false } } : { registry: { verdict: 'unavailable' } };
  }
}

/** A trunk takes so many calls a second. */
async function waitForTurnOnTrunk(call: Call, asked: CallReceived, waitMs: number): Promise<void> {
  setStep(call, 'waiting for its turn to be dialled');
  await untilEnded(call, asked, startTimer(waitMs, 'its turn on the trunk'));
}

type Unavailable = Extract<DialStep, { kind: 'unavailable' }>;

/** Longer after each refusal, and as long as the carrier asks for. */
async function backOff(call: Call, asked: CallReceived, step: Unavailable, refusals: number): Promise<void> {
  setStep(
    call,
    step.endReason === 'dnd_unverified'
      ? 'the do-not-disturb registry does not answer: asking again'
      : step.isBridgeBusy === true
        ? 'the SIP bridge has too little processor time for another call: asking again'
        : 'the carrier takes no calls at the moment: asking again',
  );
  await untilEnded(call, asked, startTimer(dialBackoffMs(refusals, step.retryAfterMs), 'ask again'));
}
