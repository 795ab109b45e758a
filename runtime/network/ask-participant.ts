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
  /** `http(s)` or `ws(s)`. */
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
 * What the participant's reply proves; null where LiveKit responds and does not say.
 *
 * @throws Error where LiveKit does not respond
 */
export async function askParticipant(
  access: LiveKitAccess,
  question: Question,
): Promise<ParticipantProof | null> {
  const { status, body } = await performRpc(access, question);
  return participantProof(status, body);
}

/** Has the SIP bridge of the phone hang it up. `left` resolves once the bridge has left the room by itself, and may never. */
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

/** The server SDK has no such method yet. */
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
