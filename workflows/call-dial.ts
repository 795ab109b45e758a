import { ActivityFailure } from '@temporalio/workflow';
import type { Dialled, Over } from '../activities/ending/attending';
import type { Preparation, Prepared } from '../activities/dialling/preparing';
import { carrier, lines, preparation } from './activity-proxies';
import { showProgress, startTimer, step, untilEnded, untilGranted, type Call } from './call-state';
import { dialBackoffMs } from '../domain/dial-backoff';
import { utcText } from '../domain/local-time';

/** The carrier has the call. If no end is reported by the deadline, something is wrong. */
export interface Placed {
  deadlineMs: number;
  /** A direct dial placed the call, and a signal or a timer has woken the workflow since. */
  isFound?: true;
}

/**
 * Queues a dispatched call for a line. Campaigns queue their own calls, a page at a time. Returns the instant at which the wait for a line
 * must end, or null if the campaign limits the wait.
 */
export async function waitForLine(call: Call): Promise<number | null> {
  const { callId, organizationId, campaignId, waitLimitMs } = call.input;
  showProgress(call, 'waiting for a line or, if dialled directly, for the end of the call');
  if (campaignId === undefined) {
    const request = await step(call, lines.requestLine, { callId, organizationId, now: Date.now() });
    if (request.granted) return null;
  }
  const limit = waitLimitMs === undefined ? null : startTimer(waitLimitMs, 'limit of the wait for a line');
  const lineBy = waitLimitMs === undefined ? null : Date.now() + waitLimitMs;
  await untilGranted(call, limit);
  return lineBy;
}

/** Returns null if the call was not placed and must be ended. */
export async function dialUntilPlaced(call: Call, firstLineBy: number | null): Promise<Placed | Over | null> {
  const { callId } = call.input;
  let lineBy = firstLineBy;
  let unavailableSince: number | null = null;
  let refusals = 0;
  let prepared: Prepared = {};
  for (;;) {
    const dialled: Dialled = await step(call, carrier.dial, {
      callId,
      mayBeOver: call.received.ends > call.known.ends,
      now: Date.now(),
      stop: call.isCancelled,
      lineBy,
      unavailableSince,
      prepared,
    });
    prepared = dialled.kind === 'unprepared' ? { ...prepared, ...(await prepare(call, dialled.of)) } : {};
    switch (dialled.kind) {
      case 'unprepared':
        // The wait can last for minutes, so an earlier rejection no longer matters.
        if (prepared.room?.isReady === false && prepared.room.isAgentMissing) unavailableSince = null;
        break;
      case 'placed':
        showProgress(call, `placed ${new Date().toISOString().slice(11, 19)} UTC: waiting for its end`);
        return dialled;
      case 'over':
        return dialled;
      case 'unended':
        return null;
      case 'noLine':
        // The wait can last for hours, so an earlier rejection no longer matters.
        unavailableSince = null;
        lineBy = await waitForLine(call);
        break;
      case 'notYet':
        await waitUntilAllowed(call, dialled.at);
        lineBy = await waitForLine(call);
        break;
      case 'paced':
        await waitForTrunkSlot(call, dialled.waitMs);
        break;
      case 'unknown':
        showProgress(call, 'the carrier did not respond: looking the call up');
        await untilEnded(call, startTimer(dialled.dialAgainAfterMs, 'look the call up at the carrier'));
        break;
      case 'unavailable':
        unavailableSince = dialled.since;
        await backOff(call, dialled, ++refusals);
        break;
    }
  }
}

/**
 * Waits for a service that was too slow for the dial. If it doesn't respond in time, later dials retry and then end the call.
 */
async function prepare(call: Call, of: Preparation): Promise<Prepared> {
  showProgress(call, of === 'room' ? 'waiting for an agent' : 'querying the do-not-disturb registry');
  try {
    return await preparation.prepareDial({ callId: call.input.callId, of });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return of === 'room'
      ? { room: { isReady: false, isAgentMissing: true } }
      : { registry: { verdict: 'unavailable' } };
  }
}

/** Waits until the rules allow the callback. It then queues for a line again. */
async function waitUntilAllowed(call: Call, at: number): Promise<void> {
  const allowed = utcText(at);
  showProgress(call, `may not be dialled before ${allowed}`);
  await untilEnded(call, startTimer(at - Date.now(), `dial allowed ${allowed}`));
}

/** A trunk accepts a limited number of calls per second. */
async function waitForTrunkSlot(call: Call, waitMs: number): Promise<void> {
  showProgress(call, 'waiting for a slot on the trunk');
  await untilEnded(call, startTimer(waitMs, 'slot on the trunk'));
}

type Unavailable = Extract<Dialled, { kind: 'unavailable' }>;

/** Waits longer after each rejection, and at least as long as the carrier requests. */
async function backOff(call: Call, refused: Unavailable, refusals: number): Promise<void> {
  showProgress(
    call,
    refused.endReason === 'dnd_unverified'
      ? "the do-not-disturb registry isn't responding: retrying"
      : refused.isBridgeBusy === true
        ? 'the SIP bridge has too little processor time for another call: retrying'
        : 'the carrier accepts no calls at the moment: retrying',
  );
  await untilEnded(call, startTimer(dialBackoffMs(refusals, refused.retryAfterMs), 'dial again'));
}
