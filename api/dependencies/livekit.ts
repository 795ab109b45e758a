import { createRequire } from 'node:module';
import type * as LiveKit from 'livekit-server-sdk';
import type { ParticipantInfo } from 'livekit-server-sdk';
import { agentIn, callerIn, type CallerNumbers } from '../../domain/room-participants';
import { serviceUnavailable } from '../http/errors/refusals';
import type { LiveKitSettings } from '../settings';

/** Loaded on first use, so that the API starts faster. */
export const livekit = (): typeof LiveKit =>
  createRequire(__filename)('livekit-server-sdk') as typeof LiveKit;

/** Requests to LiveKit about rooms, without retries. */
export const roomService = (
  { url, apiKey, apiSecret }: LiveKitSettings,
  requestTimeout: number,
): LiveKit.RoomServiceClient =>
  new (livekit().RoomServiceClient)(url, apiKey, apiSecret, { requestTimeout, failover: false });

const REQUEST_TIMEOUT_S = 2;

/** Returns true if the call's conversation takes place in that room. A call over another carrier has no room. */
export const hasConversation = async (settings: LiveKitSettings, room: string): Promise<boolean> =>
  agentIn(await participantsIn(settings, room)) !== undefined;

/** Returns the numbers of the caller in that room; null if LiveKit shows no caller. */
export const callerInRoom = async (settings: LiveKitSettings, room: string): Promise<CallerNumbers | null> =>
  callerIn(await participantsIn(settings, room));

/** Returns an empty list if the room doesn't exist. */
async function participantsIn(settings: LiveKitSettings, room: string): Promise<ParticipantInfo[]> {
  try {
    return await roomService(settings, REQUEST_TIMEOUT_S).listParticipants(room);
  } catch (error) {
    if (error instanceof livekit().ServerError && error.code === 'not_found') return [];
    // Drop the cause: its message may contain the room's name, which can contain a caller's number.
    throw serviceUnavailable();
  }
}
