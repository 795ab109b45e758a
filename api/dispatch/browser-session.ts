import { randomBytes } from 'node:crypto';
import { AccessToken } from 'livekit-server-sdk';
import type { LiveKitSettings } from '../settings';

const RANDOM_BYTES = 16;
/** To connect within; who is in the room stays. */
const TOKEN_VALID_FOR = '1h';

export interface BrowserSession {
  token: string;
  roomName: string;
  agentName: string;
  /** Where the browser connects. */
  connectionUrl: string;
}

/** Also the id of the call that the session is. */
export const newRoomName = (): string => `room_${randomBytes(RANDOM_BYTES).toString('hex')}`;

/** The right of one person to enter one room, to speak and to hear in it. The room opens when they come. */
export async function browserSession(
  { url, apiKey, apiSecret }: LiveKitSettings,
  { roomName, agentName }: { roomName: string; agentName: string },
): Promise<BrowserSession> {
  const token = new AccessToken(apiKey, apiSecret, { identity: 'web-user', ttl: TOKEN_VALID_FOR });
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
    connectionUrl: url.replace(/^http/, 'ws'),
  };
}
