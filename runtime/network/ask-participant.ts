import { AccessToken } from 'livekit-server-sdk';
import {
  HANG_UP,
  hangUpProof,
  participantProof,
  PERFORM_RPC,
  rpcRequest,
  type HangUpProof,
  type ParticipantProof,
} from '../../domain/participant-proof';

export interface LiveKitAccess {
  /** Scheme `http(s)` or `ws(s)`. */
  url: string;
  apiKey: string;
  apiSecret: string;
}

export interface Question {
  room: string;
  identity: string;
  question: { method: string; payload: string };
}

/**
 * Returns what the participant's reply proves. Null if LiveKit's response proves nothing.
 *
 * @throws Error if LiveKit doesn't respond
 */
export async function askParticipant(
  access: LiveKitAccess,
  question: Question,
): Promise<ParticipantProof | null> {
  const { status, body } = await performRpc(access, question);
  return participantProof(status, body);
}

/** Requests a hang-up from the phone's SIP bridge. `left` resolves once the bridge has left the room by itself, which may never happen. */
export async function askToHangUp(
  access: LiveKitAccess,
  phone: Omit<Question, 'question'>,
  left: Promise<unknown>,
): Promise<HangUpProof> {
  const replied = performRpc(access, { ...phone, question: HANG_UP }).then(
    ({ status, body }) => hangUpProof(status, body),
    () => 'unknown' as const,
  );
  return Promise.race([replied, left.then(() => 'hungUp' as const)]);
}

/** The server SDK has no RPC method yet. */
async function performRpc(
  { url, apiKey, apiSecret }: LiveKitAccess,
  { room, identity, question }: Question,
): Promise<{ status: number; body: unknown }> {
  const token = new AccessToken(apiKey, apiSecret, { ttl: '1m' });
  token.addGrant({ roomAdmin: true, room });
  const response = await fetch(`${url.replace(/^ws/, 'http')}${PERFORM_RPC.path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await token.toJwt()}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(rpcRequest(room, identity, question)),
    redirect: 'error',
    signal: AbortSignal.timeout(PERFORM_RPC.withinMs),
  });
  const body: unknown = await response.json().catch(() => null);
  return { status: response.status, body };
}
