import { RoomServiceClient } from 'livekit-server-sdk';
import type { AgentSettings } from '../settings';

const REQUEST_TIMEOUT_S = 5;

/** What is done to rooms from outside. What is not there any more needs nothing done to it. */
export class RoomService {
  private readonly client: RoomServiceClient;

  constructor({ url, apiKey, apiSecret }: AgentSettings['livekit']) {
    const options = { failover: false, requestTimeout: REQUEST_TIMEOUT_S };
    this.client = new RoomServiceClient(url, apiKey, apiSecret, options);
  }

  async saveMetadata(roomName: string, metadata: string): Promise<void> {
    await this.client.updateRoomMetadata(roomName, metadata);
  }

  remove(roomName: string, identity: string): Promise<void> {
    return unlessGone(this.client.removeParticipant(roomName, identity));
  }

  delete(roomName: string): Promise<void> {
    return unlessGone(this.client.deleteRoom(roomName));
  }
}

async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (codeOf(error) !== 'not_found') throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
