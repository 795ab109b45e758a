import { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { askParticipant, askToHangUp } from '../../runtime/network/ask-participant';
import { ASK_ANSWER, type HangUpProof, type ParticipantProof } from '../../domain/participant-proof';
import type { AgentSettings } from '../settings';

const REQUEST_TIMEOUT_S = 5;
/** A transfer waits for the destination's telephone network. */
const TRANSFER_TIMEOUT_S = 30;

/** Operations on rooms through LiveKit's server API. A room or participant that no longer exists counts as success. */
export class RoomService {
  private readonly client: RoomServiceClient;
  private readonly sip: SipClient;

  constructor(private readonly access: AgentSettings['livekit']) {
    const { url, apiKey, apiSecret } = access;
    const options = { failover: false, requestTimeout: REQUEST_TIMEOUT_S };
    this.client = new RoomServiceClient(url, apiKey, apiSecret, options);
    this.sip = new SipClient(url, apiKey, apiSecret, { ...options, requestTimeout: TRANSFER_TIMEOUT_S });
  }

  async saveMetadata(roomName: string, metadata: string): Promise<void> {
    await this.client.updateRoomMetadata(roomName, metadata);
  }

  /** Asks the participant for its state; null when it does not reply. */
  proofOf(room: string, identity: string): Promise<ParticipantProof | null> {
    return askParticipant(this.access, { room, identity, question: ASK_ANSWER }).catch(() => null);
  }

  hangUp(room: string, identity: string, left: Promise<unknown>): Promise<HangUpProof> {
    return askToHangUp(this.access, { room, identity }, left);
  }

  remove(roomName: string, identity: string): Promise<void> {
    return unlessGone(this.client.removeParticipant(roomName, identity));
  }

  /** Transfers a phone call; its SIP participant leaves the room. */
  async transfer(roomName: string, identity: string, to: string): Promise<void> {
    await this.sip.transferSipParticipant(roomName, identity, to);
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
