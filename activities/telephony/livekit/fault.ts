/** What a failed request to LiveKit says. */
import { ServerError } from 'livekit-server-sdk';
import { CarrierUnreachable } from '../port';
import { NEVER_CONNECTED } from '../never-connected';
import type { SetupFault } from '../../../domain/brakes';

/** One of LiveKit's own, in Twirp's words; null for what came from a proxy, or did not come. */
export function twirpCode(error: unknown): string | null {
  return error instanceof ServerError ? (error.code ?? null) : null;
}

/** A dial may be refused so merely because it came too late: its token ends soon. */
export const isKeyRefused = (error: unknown): boolean =>
  ['unauthenticated', 'permission_denied'].includes(twirpCode(error) ?? '');

export const isNotFound = (error: unknown): boolean => twirpCode(error) === 'not_found';

/** What came of a request that LiveKit failed, to be retried. The message names no number; the cause may. */
export function unreachable(sentence: string, cause: unknown): CarrierUnreachable {
  return new CarrierUnreachable(sentence, { cause });
}

/** What a failed request to place a call means for it. */
export type DialFault =
  /** The callee's side answered with this SIP status. */
  | { kind: 'sip'; status: number }
  | { kind: 'notPlaced'; retryAfterMs: number | null; reason: string; because?: 'bridge_busy' | SetupFault }
  /** It rang as long as it may. */
  | { kind: 'rangOut' }
  /** Its room was closed while it rang: we hung up. */
  | { kind: 'hungUp' }
  /** The bridge gave it up: over, and nobody was reached. */
  | { kind: 'failed'; reason: string; because?: SetupFault }
  /** The request may have been taken up, and may go on. */
  | { kind: 'unknown'; reason: string };

/** The bridge's words where it has no SIP status to report. All but the last come as `canceled`. */
const RANG_OUT = 'sip request timed out';
const ROOM_CLOSED = 'context canceled';
const NOT_FINISHED = 'transaction failed to complete';
const SHUTTING_DOWN = 'service shutting down';
/** It was answered in the moment in which the ringing ended, and the bridge hung up: `failed_precondition`. */
const ANSWERED_TOO_LATE = 'context deadline exceeded';

/** LiveKit without the Redis that its SIP bridge is reached through. */
const NO_BRIDGE = 'sip not connected';
/** The bridge takes no call above its `max_cpu_utilization`. */
const BRIDGE_BUSY = 'cpu exhausted';
/** The trunk asked for a login, and did not accept ours: `failed_precondition`. */
const LOGIN_REFUSED = /\bauth\b/;
/** The trunk's host may be found later, unless the resolver says that there is none. */
const NOT_RESOLVED = /\blookup (?!.*no such host)/;

export function dialFault(error: unknown): DialFault {
  const status = sipStatusOf(error);
  if (status !== null) return { kind: 'sip', status };
  if (neverConnected(error)) return { kind: 'notPlaced', retryAfterMs: null, reason: 'never connected' };
  if (!(error instanceof ServerError) || error.code === undefined) {
    return { kind: 'unknown', reason: nameOf(error) };
  }
  const { code: reason, message } = error;
  switch (reason) {
    // No bridge claimed it, or it came too late to the door.
    case 'unavailable':
    case 'resource_exhausted':
    case 'unauthenticated':
    case 'permission_denied': {
      const isBusy = message.includes(BRIDGE_BUSY);
      return { kind: 'notPlaced', retryAfterMs: null, reason, ...(isBusy && { because: 'bridge_busy' }) };
    }
    case 'not_found':
      return { kind: 'notPlaced', retryAfterMs: null, reason, because: 'trunk_missing' };
    case 'invalid_argument':
      if (NOT_RESOLVED.test(message)) return { kind: 'failed', reason };
      return { kind: 'notPlaced', retryAfterMs: null, reason, because: 'trunk_address' };
    case 'canceled':
      return canceled(message);
    case 'deadline_exceeded':
      return { kind: 'unknown', reason };
    case 'failed_precondition':
      if (message.includes(ANSWERED_TOO_LATE)) return { kind: 'rangOut' };
      return { kind: 'failed', reason, ...(LOGIN_REFUSED.test(message) && { because: 'trunk_login' }) };
    case 'internal':
      if (message.includes(NO_BRIDGE)) return { kind: 'notPlaced', retryAfterMs: null, reason };
      return { kind: 'failed', reason };
    default:
      return { kind: 'failed', reason };
  }
}

function canceled(message: string): DialFault {
  if (message.includes(RANG_OUT)) return { kind: 'rangOut' };
  if (message.includes(NOT_FINISHED) || message.includes(SHUTTING_DOWN)) {
    return { kind: 'failed', reason: 'canceled' };
  }
  if (message.includes(ROOM_CLOSED)) return { kind: 'hungUp' };
  // Ours was cut off on its way; what it asked for may go on.
  return { kind: 'unknown', reason: 'canceled' };
}

function sipStatusOf(error: unknown): number | null {
  if (!(error instanceof ServerError)) return null;
  const status = Number(error.metadata?.sip_status_code);
  return Number.isInteger(status) && status >= 300 ? status : null;
}

function neverConnected(error: unknown): boolean {
  // What `fetch` throws is a TypeError of its own realm, which names the fault as its cause.
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : null;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' && NEVER_CONNECTED.has(code);
}

const LONGEST_WORDS = 200;
const SIP_ADDRESS = /\b(?:sips?|tel):[^\s">]+|[^\s"<>]+@[^\s">]+/gi;
const NUMBER = /\+?\d(?:[\s().-]*\d){4,}/g;

/** LiveKit's own words, for the log: cut, and without SIP addresses and numbers. */
export function wordsOf(error: unknown): string | undefined {
  if (!(error instanceof ServerError)) return undefined;
  return error.message.replace(SIP_ADDRESS, '…').replace(NUMBER, '…').slice(0, LONGEST_WORDS);
}

/** What kind of fault it was, without its text: that may hold a number. */
export function nameOf(error: unknown): string {
  if (error instanceof ServerError) return error.code ?? `status ${error.status}`;
  return error instanceof Error ? error.name : 'unknown';
}
