import { randomBytes } from 'node:crypto';
import type { LiveKitSettings } from '../../settings';
import { livekit } from '../../dependencies/livekit';

/** Time to join the room. LiveKit renews the token of a participant who has joined. */
const COME_WITHIN_S = 60;

/**
 * Creates a token to listen to a room while hidden. As an egress participant it counts neither as a person nor as an agent
 * (`domain/room-participants.ts`). LiveKit doesn't announce it, and closes a room in which it is alone.
 */
export function listeningToken({ apiKey, apiSecret }: LiveKitSettings, room: string): Promise<string> {
  const identity = `listener-${randomBytes(8).toString('hex')}`;
  const token = new (livekit().AccessToken)(apiKey, apiSecret, { identity, ttl: COME_WITHIN_S });
  token.kind = 'egress';
  token.addGrant({
    roomJoin: true,
    room,
    hidden: true,
    canSubscribe: true,
    canPublish: false,
    canPublishData: false,
    canUpdateOwnMetadata: false,
  });
  return token.toJwt();
}
