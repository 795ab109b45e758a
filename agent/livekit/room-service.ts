import { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { askParticipant, askToHangUp } from '../../runtime/network/ask-participant';
import { ASK_ANSWER, type HangUpProof, type ParticipantProof } from '../../domain/participant-proof';
import type { AgentSettings } from '../settings';

const REQUEST_TIMEOUT_S = 5;
/** LiveKit waits for the destination's telephone network during a transfer. */
const TRANSFER_TIMEOUT_S = 30;

/** Changes rooms through LiveKit's server API. A call succeeds if the room or participant no longer exists. */
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

  /** Requests the participant's state. Returns null when the participant doesn't respond. */
  proofOf(room: string, identity: string): Promise<ParticipantProof | null> {
    return askParticipant(this.access, { room, identity, question: ASK_ANSWER }).catch(() => null);
  }

  hangUp(room: string, identity: string, left: Promise<unknown>): Promise<HangUpProof> {
    return askToHangUp(this.access, { room, identity }, left);
  }

  remove(roomName: string, identity: string): Promise<void> {
    return unlessGone(this.client.removeParticipant(roomName, identity));
  }

  /** Transfers a phone call. The SIP participant then leaves the room. */
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
