import { agentIn } from '../../../workflows/domain/room-participants';
import { serviceUnavailable } from '../../http/errors/refusals';
import { livekit } from '../../dependencies/livekit';
import type { LiveKitSettings } from '../../settings';

const ANSWER_WITHIN_S = 2;

/** Whether a call's conversation is in that room. A call over another carrier has no room. */
export async function hasConversation(
  { url, apiKey, apiSecret }: LiveKitSettings,
  room: string,
): Promise<boolean> {
  const { RoomServiceClient, ServerError } = livekit();
  const options = { requestTimeout: ANSWER_WITHIN_S, failover: false };
  try {
    const present = await new RoomServiceClient(url, apiKey, apiSecret, options).listParticipants(room);
    return agentIn(present) !== undefined;
  } catch (error) {
    if (error instanceof ServerError && error.code === 'not_found') return false;
    // Its text may hold the room's name, and that a caller's number.
    throw serviceUnavailable();
  }
}
