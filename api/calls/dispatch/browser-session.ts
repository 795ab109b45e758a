import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as LiveKit from 'livekit-server-sdk';
import { BROWSER_USER } from '../../../db/calls/dispatched-calls';
import type { LiveKitSettings } from '../../settings';

/** Loaded with the first session, not with the API. */
const livekit = (): typeof LiveKit => createRequire(__filename)('livekit-server-sdk') as typeof LiveKit;

const RANDOM_BYTES = 16;
/** The longest talk that an agent can be set to, and the time that a person may take to come to it. */
const LONGEST_SESSION_MS = 72 * 60_000;

export interface BrowserSession {
  token: string;
  roomName: string;
  agentName: string;
  /** Where the browser connects. */
  connectionUrl: string;
}

/** Also the id of the call that the session is, which names its second as those of other calls do (`db/functions/months_of.sql`). */
export const newRoomName = (now: number): string =>
  `room_${Math.floor(now / 1000)}-${randomBytes(RANDOM_BYTES).toString('hex')}`;

/**
 * The right of one person to enter one room, to speak and to hear in it, for as long as the call may wait and last: who loses the
 * connection comes back with the same token. The agent comes once the call has a line.
 */
export async function browserSession(
  { publicUrl, apiKey, apiSecret }: LiveKitSettings,
  { roomName, agentName, waitLimitMs }: { roomName: string; agentName: string; waitLimitMs: number },
): Promise<BrowserSession> {
  const ttl = Math.ceil((waitLimitMs + LONGEST_SESSION_MS) / 1000);
  const token = new (livekit().AccessToken)(apiKey, apiSecret, { identity: BROWSER_USER, ttl });
  token.addGrant({
    roomJoin: true,
    room: roomName,
    canPublish: true,
    canSubscribe: true,
    canPublishData: true,
  });
  return {
    token: await token.toJwt(),
    roomName,
    agentName,
    connectionUrl: publicUrl.replace(/^http/, 'ws'),
  };
}
