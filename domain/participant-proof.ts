/**
 * Checks by remote procedure call whether participants are alive. After an outage, LiveKit's list in Redis still contains participants that
 * died with it, and marks a phone that came back as `dialing` during the conversation.
 */
import { valueAt } from './json';

/**
 * A method of the SIP bridge (`pkg/sip/rpc.go`) that returns headers of the callee's answer. While the phone rings, the bridge delays its
 * reply and handles no other request.
 */
export const ASK_ANSWER = { method: 'lk.sip.GetRemoteHeaders', payload: '{"include":["call-id"]}' } as const;
/**
 * A method of the SIP bridge that sends BYE, waits for the response and leaves the room. Only its leaving proves the hang-up, because its
 * own reply comes too late, and RemoveParticipant and DeleteRoom return before the bridge acts.
 */
export const HANG_UP = { method: 'lk.sip.EndCall', payload: '{}' } as const;
/** An unknown method. Agents and bridges reject it immediately, which proves that they are alive. */
export const ASK_PRESENT = { method: 'platform.present', payload: '' } as const;

/**
 * Must exceed the 2 s within which LiveKit expects a confirmation. With less, a dead bridge (`noConnection`) would look like one that has
 * confirmed and is still ringing (`noResponse`).
 */
const REPLY_WITHIN_MS = 3_500;

/** `withinMs` limits the wait for LiveKit's response. LiveKit takes 3.1 s if no node has the participant. */
export const PERFORM_RPC = { path: '/twirp/livekit.RoomService/PerformRpc', withinMs: 7_000 } as const;

export const rpcRequest = (
  room: string,
  identity: string,
  question: { method: string; payload: string },
) => ({
  room,
  destination_identity: identity,
  ...question,
  response_timeout_ms: REPLY_WITHIN_MS,
});

/** `unproven`: LiveKit considers the participant connected, but the participant does not reply. */
export type ParticipantProof =
  { kind: 'there'; isAnswered: boolean | null } | { kind: 'unproven' } | { kind: 'absent' };

/** LiveKit's error codes for remote procedure calls. */
const RPC = {
  notFound: 1401,
  applicationError: 1500,
  noConnection: 1501,
  noResponse: 1502,
  disconnected: 1503,
  notSent: 1505,
};

function rpcErrorOf(body: unknown): number {
  const message = valueAt(body, 'msg');
  return Number(/\bRpcError (\d+)\b/.exec(typeof message === 'string' ? message : '')?.[1]);
}

/** LiveKit still lists the participant, but the node that hosted it is gone. */
const isOfNoNode = (body: unknown): boolean =>
  ['unavailable', 'not_found'].includes(String(valueAt(body, 'code')));

/** Interprets the response of LiveKit's server API. Returns null for a failure that says nothing about the participant. */
export function participantProof(status: number, body: unknown): ParticipantProof | null {
  if (status === 200) return { kind: 'there', isAnswered: hasAnswer(valueAt(body, 'payload')) };
  const error = rpcErrorOf(body);
  switch (error) {
    case RPC.notFound:
    case RPC.disconnected:
      return { kind: 'absent' };
    case RPC.noConnection:
    case RPC.notSent:
      return { kind: 'unproven' };
    // The bridge confirmed `ASK_ANSWER`, but the INVITE has no final response yet.
    case RPC.noResponse:
      return { kind: 'there', isAnswered: false };
    default:
      if (Number.isInteger(error)) return { kind: 'there', isAnswered: null };
  }
  if (isOfNoNode(body)) return { kind: 'absent' };
  const code = valueAt(body, 'code');
  // This version of LiveKit does not support the request, so trust its list.
  if (code === 'bad_route' || code === 'unimplemented') return { kind: 'there', isAnswered: null };
  return null;
}

/**
 * The result of `HANG_UP` for a phone that has not left the room. `hungUp`: the bridge confirms the hang-up. `lost`: the bridge is dead or
 * gone, and the phone may still be connected. `unknown`: neither is proven, so the participant must be removed.
 */
export type HangUpProof = 'hungUp' | 'lost' | 'unknown';

export function hangUpProof(status: number, body: unknown): HangUpProof {
  if (status === 200) return 'hungUp';
  switch (rpcErrorOf(body)) {
    case RPC.disconnected:
    case RPC.applicationError:
      return 'hungUp';
    case RPC.notFound:
    case RPC.noConnection:
    case RPC.notSent:
      return 'lost';
    default:
      return isOfNoNode(body) ? 'lost' : 'unknown';
  }
}

function hasAnswer(payload: unknown): boolean | null {
  if (typeof payload !== 'string') return null;
  try {
    const headers = valueAt(JSON.parse(payload), 'headers');
    if (typeof headers !== 'object' || headers === null) return null;
    return Object.keys(headers).length > 0;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
