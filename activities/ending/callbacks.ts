import { randomUUID } from 'node:crypto';
import type { CallbackCap, CallbackRequest, EndedCall, ScheduledCallback } from '../../db/calls/conclusions';
import { outboundCallId } from '../../db/calls/dispatched-calls';
import { numberHashes } from '../../db/kernel/number-hash';
import type { CallInput } from '../../workflows/contract';
import { callbackRequest, callbackDelayMs, delayUntil } from '../../domain/analysis/callback';
import { dailyWindowAt } from '../../domain/calling-window';
import { normalisePhone } from '../../domain/phone-number';
import type { TranscriptSegment } from '../../domain/transcript';
import type { ActivityDependencies, CallbackSettings } from '../dependencies';

/** Maximum number of callbacks in a row, each requested during the one before. */
const MAX_IN_A_ROW = 3;

/**
 * Returns the callback that a person requested, or null if their number must not be called. The platform's calling window applies to a
 * callback without a campaign.
 */
export function requestedCallback(
  { settings: { callbacks } }: Pick<ActivityDependencies, 'settings'>,
  call: Pick<EndedCall, 'organizationId' | 'campaignId' | 'direction' | 'fromNumber' | 'toNumber'>,
  segments: readonly TranscriptSegment[],
  {
    now,
    at,
  }: {
    now: number;
    /** The requested time, or null if the person named none. */
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
    maxDepth: MAX_IN_A_ROW,
    toNumber: caller && caller.e164,
    cap: capOf(callbacks, call.organizationId, caller === null ? call.toNumber : caller.e164),
  };
}

function capOf(
  { hashKeys, maxPerDay }: CallbackSettings,
  organizationId: string,
  number: string | null,
): CallbackCap | null {
  if (number === null) return null;
  return { hashes: numberHashes(hashKeys, organizationId, number), maxPerDay };
}

/** Returns the workflow input of a callback without a campaign. */
export function callbackInput(
  { settings }: Pick<ActivityDependencies, 'settings'>,
  ids: Pick<CallInput, 'organizationId' | 'agentId'>,
  { callId, dueAt, dialUntil }: ScheduledCallback,
): CallInput {
  const { organizationId, agentId } = ids;
  const waitLimitMs = Math.max(1, Math.min(settings.dispatchWaitLimitMs, dialUntil - dueAt));
  return { callId, organizationId, agentId, notBefore: dueAt, waitLimitMs };
}
