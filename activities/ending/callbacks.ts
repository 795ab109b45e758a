import { randomUUID } from 'node:crypto';
import type { CallbackRequest, EndedCall, ScheduledCallback } from '../../db/calls/conclusions';
import { outboundCallId } from '../../db/calls/dispatched-calls';
import type { CallInput } from '../../workflows/contract';
import { callbackRequest } from '../../workflows/domain/analysis/callback';
import { callbackDelayMs, delayUntil } from '../../workflows/domain/analysis/callback-time';
import { dailyWindowAt } from '../../workflows/domain/calling-window';
import { normalisePhone } from '../../workflows/domain/phone-number';
import type { TranscriptSegment } from '../../workflows/domain/transcript';
import type { ActivityDependencies } from '../dependencies';

/** Somebody who asks each time is not called for ever. */
const MOST_IN_A_ROW = 3;

/**
 * The callback that a person asked for in the call that is over. A campaign makes it within its own window; one of a dispatched call is
 * put off to where the platform's window is open. A caller is called back at the number that they rang from; null where we may not dial it.
 */
export function requestedCallback(
  { settings: { callbacks } }: Pick<ActivityDependencies, 'settings'>,
  call: Pick<EndedCall, 'campaignId' | 'direction' | 'fromNumber'>,
  segments: readonly TranscriptSegment[],
  {
    now,
    at,
  }: {
    now: number;
    /** When the callback was asked for as an instant; null where it was not. */
    at: number | null;
  },
): CallbackRequest | null {
  const caller = call.direction === 'Incoming' ? normalisePhone(call.fromNumber ?? '', callbacks) : null;
  if (caller !== null && !('e164' in caller)) return null;
  const said = segments.filter(({ speaker }) => speaker === 'user').map(({ text }) => text);
  const delayMs =
    delayUntil(at, now) ?? callbackDelayMs(callbackRequest(said) ?? '') ?? callbacks.defaultDelayMs;
  const asked = now + delayMs;
  const window = dailyWindowAt(callbacks.window, asked);
  return {
    id: randomUUID(),
    callId: outboundCallId(now),
    dueAt: call.campaignId === null ? Math.max(asked, window.opensAt) : asked,
    dialUntil: window.closesAt,
    mostDepth: MOST_IN_A_ROW,
    toNumber: caller && caller.e164,
  };
}

/** What starts the call that a dispatched call's callback becomes. */
export function callbackInput(
  { settings }: Pick<ActivityDependencies, 'settings'>,
  ids: Pick<CallInput, 'clientId' | 'agentId'>,
  { callId, dueAt, dialUntil }: ScheduledCallback,
): CallInput {
  const { clientId, agentId } = ids;
  const waitLimitMs = Math.max(1, Math.min(settings.dispatchWaitLimitMs, dialUntil - dueAt));
  return { callId, clientId, agentId, notBefore: dueAt, waitLimitMs };
}
