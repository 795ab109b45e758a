/** The real room, over LiveKit's SDKs: what happens in it by the SDK of participants, what is done to it by that of servers. */
import type { JobContext } from '@livekit/agents';
import {
  AudioSource,
  DisconnectReason,
  LocalAudioTrack,
  ParticipantKind,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  type LocalParticipant,
  type RemoteParticipant,
} from '@livekit/rtc-node';
import type { ConversationRoom, Guest, RoomNews } from '../conversation/room-port';
import { SAMPLE_RATE, type Samples } from '../sound/pcm';
import type { AgentSettings } from '../settings';
import { hear, isSound } from './hearing';
import { playInto } from './playing';
import { RoomService } from './room-service';

/** How far ahead of what is heard sound is handed over. */
const QUEUE_MS = 200;

export class LiveKitRoom implements ConversationRoom {
  private readonly voice = new AudioSource(SAMPLE_RATE, 1, QUEUE_MS);
  private readonly service: RoomService;
  private readonly listeners: ((news: RoomNews) => void)[] = [];
  private voiceTrackSid: string | null = null;
  private readonly room: Room;

  constructor(
    private readonly job: JobContext,
    settings: AgentSettings['livekit'],
  ) {
    this.room = roomOf(job);
    this.service = new RoomService(settings);
  }

  /** As the job names it: also before it is joined. */
  get name(): string {
    return this.job.job.room?.name ?? '';
  }

  get identity(): string {
    return this.room.localParticipant?.identity ?? '';
  }

  get metadata(): string {
    return this.room.metadata ?? '';
  }

  async join(): Promise<void> {
    const { room } = this;
    room.on(RoomEvent.ParticipantConnected, (one) => this.tell({ kind: 'guest', guest: guestOf(one) }));
    room.on(RoomEvent.ParticipantAttributesChanged, (_changed, { identity }) => {
      const one = room.remoteParticipants.get(identity);
      if (one !== undefined) this.tell({ kind: 'guest', guest: guestOf(one) });
    });
    room.on(RoomEvent.ParticipantDisconnected, (one) => {
      const reason =
        DisconnectReason[one.disconnectReason ?? DisconnectReason.UNKNOWN_REASON] ?? 'UNKNOWN_REASON';
      this.tell({ kind: 'left', guest: guestOf(one), reason });
    });
    room.on(RoomEvent.TrackSubscribed, (track, _publication, one) => {
      if (!isSound(track)) return;
      hear(track, (samples) => this.tell({ kind: 'heard', guest: guestOf(one), samples }));
    });
    room.on(RoomEvent.Disconnected, (reason) => {
      this.tell({ kind: 'closed', reason: DisconnectReason[reason] ?? 'UNKNOWN_REASON' });
    });
    await this.job.connect();
  }

  listen(listener: (news: RoomNews) => void): void {
    this.listeners.push(listener);
    for (const one of this.room.remoteParticipants.values()) listener({ kind: 'guest', guest: guestOf(one) });
  }

  async openVoice(): Promise<void> {
    if (this.voiceTrackSid !== null) return;
    const track = LocalAudioTrack.createAudioTrack('voice', this.voice);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    const publication = await this.self().publishTrack(track, options);
    this.voiceTrackSid = publication.sid ?? '';
  }

  async sayReady(): Promise<void> {
    await this.self().setAttributes({ 'platform.ready': 'true' });
  }

  async play(samples: Samples, signal: AbortSignal): Promise<void> {
    await playInto(this.voice, samples, signal);
  }

  async caption(text: string): Promise<void> {
    const attributes = {
      'lk.transcription_final': 'true',
      ...(this.voiceTrackSid !== null && { 'lk.transcribed_track_id': this.voiceTrackSid }),
    };
    await this.self().sendText(text, { topic: 'lk.transcription', attributes });
  }

  saveMetadata(metadata: string): Promise<void> {
    return this.service.saveMetadata(this.name, metadata);
  }

  remove(identity: string): Promise<void> {
    return this.service.remove(this.name, identity);
  }

  delete(): Promise<void> {
    return this.service.delete(this.name);
  }

  async leave(): Promise<void> {
    await this.room.disconnect();
  }

  private self(): LocalParticipant {
    const { localParticipant } = this.room;
    if (localParticipant === undefined) throw new Error('the room is not joined');
    return localParticipant;
  }

  private tell(news: RoomNews): void {
    for (const listener of this.listeners) listener(news);
  }
}

/** The SDK's packages give their types twice, for either kind of module, and count the two as different. */
function roomOf(job: JobContext): Room {
  const room: unknown = job.room;
  if (room instanceof Room) return room;
  throw new Error('the SDKs do not agree on what a room is');
}

const guestOf = ({ identity, kind, attributes }: RemoteParticipant): Guest => ({
  identity,
  isSip: kind === ParticipantKind.SIP,
  isAgent: kind === ParticipantKind.AGENT,
  attributes: { ...attributes },
});
