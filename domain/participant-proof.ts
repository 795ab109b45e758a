/**
 * What a participant's reply to a remote procedure call proves. After LiveKit was away its list of participants, which it keeps in Redis, has
 * those that died with it, and a phone that came back says `dialing` though it talks: so they are asked.
 */
import { valueAt } from './json';

/**
 * The SIP bridge's (`pkg/sip/rpc.go`): it returns headers of the callee's answer, so none before it. While the phone rings the bridge waits with the
 * reply, handles no other request meanwhile, and so would look dead to the next question.
 */
export const ASK_ANSWER = { method: 'lk.sip.GetRemoteHeaders', payload: '{"include":["call-id"]}' } as const;
/**
 * The SIP bridge's: it sends its BYE, waits for the response, and leaves the room. Its own reply comes too late for that, and LiveKit 1.13.5 answers
 * 2 s later as for one that is away: so who asks looks for the leave. RemoveParticipant and DeleteRoom return before the bridge knows of them, and also
 * where it is dead.
 */
export const HANG_UP = { method: 'lk.sip.EndCall', payload: '{}' } as const;
/** No agent and no bridge knows this method. That it says so is a reply too, and comes at once. */
export const ASK_PRESENT = { method: 'platform.present', payload: '' } as const;

/**
 * LiveKit's RPC errors do not say which limit was passed first: a dead bridge fails to confirm within LiveKit's own 2 s (`noConnection`), and must
 * not be taken for one that confirmed and is still ringing (`noResponse`). At 2 s for both, a busy LiveKit named the wrong one.
 */
const REPLY_WITHIN_MS = 3_500;

/** Of LiveKit's server API; `withinMs` is for its response, which takes 3.1 s where no node has the participant. */
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

/** `unproven`: LiveKit has it connected, and it does not reply. */
export type ParticipantProof =
  { kind: 'there'; isAnswered: boolean | null } | { kind: 'unproven' } | { kind: 'away' };

/** LiveKit's errors of remote procedure calls. */
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

/** For one that died with LiveKit, whose list still has it, there is no node. */
const isOfNoNode = (body: unknown): boolean =>
  ['unavailable', 'not_found'].includes(String(valueAt(body, 'code')));

/** Null for a failure that says nothing of the participant. `body` is that of LiveKit's server API. */
export function participantProof(status: number, body: unknown): ParticipantProof | null {
  if (status === 200) return { kind: 'there', isAnswered: hasAnswer(valueAt(body, 'payload')) };
  const error = rpcErrorOf(body);
  switch (error) {
    case RPC.notFound:
    case RPC.disconnected:
      return { kind: 'away' };
    case RPC.noConnection:
    case RPC.notSent:
      return { kind: 'unproven' };
    // It confirmed the request: of `ASK_ANSWER`, that the INVITE has no final response yet.
    case RPC.noResponse:
      return { kind: 'there', isAnswered: false };
    default:
      if (Number.isInteger(error)) return { kind: 'there', isAnswered: null };
  }
  if (isOfNoNode(body)) return { kind: 'away' };
  const code = valueAt(body, 'code');
  // A LiveKit that cannot ask: its list is believed.
  if (code === 'bad_route' || code === 'unimplemented') return { kind: 'there', isAnswered: null };
  return null;
}

/**
 * What is proven of a phone that has not left. `hungUp`: its bridge says so. `lost`: the bridge is dead or away, and the phone may be connected.
 * `unknown`: the bridge or LiveKit does not know the method, LiveKit fails, or the bridge confirmed the request and waits for the trunk's response
 * or the callee's answer: it is to be removed.
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
