import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as LiveKit from 'livekit-server-sdk';
import { BROWSER_USER } from '../../../db/calls/dispatched-calls';
import type { LiveKitSettings } from '../../settings';

/** Loaded on first use to keep the API's start fast. */
const livekit = (): typeof LiveKit => createRequire(__filename)('livekit-server-sdk') as typeof LiveKit;

const RANDOM_BYTES = 16;
/** The longest call that an agent can be set to, plus the time that a person may take to join. */
const LONGEST_SESSION_MS = 72 * 60_000;

export interface BrowserSession {
  token: string;
  roomName: string;
  agentName: string;
  /** URL that the browser connects to. */
  connectionUrl: string;
}

/** Also the call's id. Like other call ids it contains the second of its creation, by which old calls are found. */
export const newRoomName = (now: number): string =>
  `room_${Math.floor(now / 1000)}-${randomBytes(RANDOM_BYTES).toString('hex')}`;

/**
 * Creates a token for one person to join one room, to speak and to listen. It stays valid for the longest wait and call, so a browser that
 * lost its connection can rejoin. The agent joins once the call has a line.
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
