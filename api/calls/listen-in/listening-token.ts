import { randomBytes } from 'node:crypto';
import type { LiveKitSettings } from '../../settings';
import { livekit } from '../../dependencies/livekit';

/** To come. LiveKit renews the token of who is there. */
const COME_WITHIN_S = 60;

/**
 * The right to hear one room, unseen. Nothing that decides on calls counts this participant: it is of a kind that is neither a person's nor
 * an agent's (`domain/room-participants.ts`), LiveKit announces it to nobody, and a room that only it is in closes.
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
