/** Asks LiveKit for the participants of a call's room. */
import type { ParticipantInfo } from 'livekit-server-sdk';
import { agentIn, callerIn, type CallerNumbers } from '../../domain/room-participants';
import { livekit } from '../dependencies/livekit';
import { serviceUnavailable } from '../http/errors/refusals';
import type { LiveKitSettings } from '../settings';

const ANSWER_WITHIN_S = 2;

/** Whether a call's conversation is in that room. A call over another carrier has no room. */
export const hasConversation = async (settings: LiveKitSettings, room: string): Promise<boolean> =>
  agentIn(await participantsIn(settings, room)) !== undefined;

/** The numbers of the caller in that room; null when LiveKit shows none. */
export const callerInRoom = async (settings: LiveKitSettings, room: string): Promise<CallerNumbers | null> =>
  callerIn(await participantsIn(settings, room));

/** Empty for a room that does not exist. */
async function participantsIn(
  { url, apiKey, apiSecret }: LiveKitSettings,
  room: string,
): Promise<ParticipantInfo[]> {
  const { RoomServiceClient, ServerError } = livekit();
  const options = { requestTimeout: ANSWER_WITHIN_S, failover: false };
  try {
    return await new RoomServiceClient(url, apiKey, apiSecret, options).listParticipants(room);
  } catch (error) {
    if (error instanceof ServerError && error.code === 'not_found') return [];
    // Its text may hold the room's name, and that a caller's number.
    throw serviceUnavailable();
  }
}
