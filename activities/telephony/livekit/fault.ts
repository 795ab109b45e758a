import { ServerError } from 'livekit-server-sdk';
import { CarrierUnreachable } from '../port';
import { NEVER_CONNECTED } from '../../network/own-service';
import type { SetupFault } from '../../../domain/breakers';

/** Returns LiveKit's Twirp error code. Null if the error came from a proxy or there was no response. */
export function twirpCode(error: unknown): string | null {
  return error instanceof ServerError ? (error.code ?? null) : null;
}

/** Returns whether LiveKit rejected our API key. A late dial gets the same error, because its token has expired. */
export const isKeyRefused = (error: unknown): boolean =>
  ['unauthenticated', 'permission_denied'].includes(twirpCode(error) ?? '');

export const isNotFound = (error: unknown): boolean => twirpCode(error) === 'not_found';

/** Wraps a failure that can be retried. The message must not contain a number, but the cause may. */
export function unreachable(sentence: string, cause: unknown): CarrierUnreachable {
  return new CarrierUnreachable(sentence, { cause });
}

/** The result of a failed request to place a call. */
export type DialFault =
  /** The trunk or the callee answered with this SIP status. */
  | { kind: 'sip'; status: number }
  | { kind: 'notPlaced'; retryAfterMs: number | null; reason: string; because?: 'bridge_busy' | SetupFault }
  /** The call rang until its ring timeout. */
  | { kind: 'rangOut' }
  /** We hung up by closing the room while the call rang. */
  | { kind: 'hungUp' }
  /** The bridge gave up, and the call is over. */
  | { kind: 'failed'; reason: string; because?: SetupFault }
  /** LiveKit may have accepted the request, and the call may continue. */
  | { kind: 'unknown'; reason: string };

/** The bridge's messages for failures without a SIP status. These four have the code `canceled`. */
const RANG_OUT = 'sip request timed out';
const ROOM_CLOSED = 'context canceled';
const NOT_FINISHED = 'transaction failed to complete';
const SHUTTING_DOWN = 'service shutting down';
/** The callee answered just as the ring timeout passed, and the bridge hung up. The code is `failed_precondition`. */
const ANSWERED_TOO_LATE = 'context deadline exceeded';

/** LiveKit has no connection to Redis, through which it reaches the SIP bridge. */
const NO_BRIDGE = 'sip not connected';
/** The bridge rejects calls above its `max_cpu_utilization`. */
const BRIDGE_BUSY = 'cpu exhausted';
/** The trunk requires a login and rejected ours. The code is `failed_precondition`. */
const LOGIN_REFUSED = /\bauth\b/;
/** A DNS failure that may be temporary, unlike "no such host". */
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
    // No bridge accepted the call, or the token had expired.
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
  // Our request was aborted, but the call may continue.
  return { kind: 'unknown', reason: 'canceled' };
}

function sipStatusOf(error: unknown): number | null {
  if (!(error instanceof ServerError)) return null;
  const status = Number(error.metadata?.sip_status_code);
  return Number.isInteger(status) && status >= 300 ? status : null;
}

function neverConnected(error: unknown): boolean {
  // `fetch` throws a TypeError of another realm, so `instanceof` fails. Its cause holds the code.
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : null;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' && NEVER_CONNECTED.has(code);
}

const LONGEST_WORDS = 200;
const SIP_ADDRESS = /\b(?:sips?|tel):[^\s">]+|[^\s"<>]+@[^\s">]+/gi;
const NUMBER = /\+?\d(?:[\s().-]*\d){4,}/g;

/** Returns LiveKit's message for the log, shortened and without SIP addresses or numbers. */
export function wordsOf(error: unknown): string | undefined {
  if (!(error instanceof ServerError)) return undefined;
  return error.message.replace(SIP_ADDRESS, '…').replace(NUMBER, '…').slice(0, LONGEST_WORDS);
}

/** Names the fault without its message, which may contain a number. */
export function nameOf(error: unknown): string {
  if (error instanceof ServerError) return error.code ?? `status ${error.status}`;
  return error instanceof Error ? error.name : 'unknown';
}
