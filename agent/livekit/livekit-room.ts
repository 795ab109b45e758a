/** Implements the room port. LiveKit's participant SDK reports what happens in the room, and its server SDK changes the room. */
import type { JobContext } from '@livekit/agents';
import {
  AudioSource,
  DisconnectReason,
  LocalAudioTrack,
  ParticipantKind,
  Room,
  RoomEvent as LiveKitEvent,
  TrackPublishOptions,
  TrackSource,
  type LocalParticipant,
  type RemoteParticipant,
} from '@livekit/rtc-node';
import { SAMPLE_RATE, type Samples } from '../audio/pcm';
import type { ConversationRoom, Participant, RoomEvent } from '../session/state/room-port';
import type { AgentSettings } from '../settings';
import { ConnectionOutage } from './connection-outage';
import { RoomService } from './room-service';
import { frameOf, playSamples, receiveAudio, isAudioTrack, sinceLastAudioMs } from './track-audio';
import { TypedMessages } from './typed-messages';

/** Topic that LiveKit's client SDKs use for chat messages. */
const CHAT_TOPIC = 'lk.chat';
/** Longest audio that can be queued ahead of playback. */
const QUEUE_MS = 200;
/**
 * Bits per second. Below 71 kbit/s, Opus uses a speech mode that takes 1.6 % of a core, even in silence. Above that, its music mode takes
 * 0.6 %, for a third more traffic than LiveKit's default of 48 kbit/s.
 */
const VOICE_BITRATE = 72_000n;

/** A room that has not been joined yet. */
interface RoomEntry {
  /** Known before the room is joined, because the job names the room. */
  name: string;
  room: Room;
  connect(): Promise<void>;
}

export class LiveKitRoom implements ConversationRoom {
  private readonly voice = new AudioSource(SAMPLE_RATE, 1, QUEUE_MS);
  private readonly service: RoomService;
  private readonly listeners: ((event: RoomEvent) => void)[] = [];
  private voiceTrackSid: string | null = null;
  private readonly room: Room;

  constructor(
    private readonly entry: RoomEntry,
    settings: AgentSettings['livekit'],
  ) {
    this.room = entry.room;
    this.service = new RoomService(settings);
  }

  get name(): string {
    return this.entry.name;
  }

  get identity(): string {
    return this.room.localParticipant?.identity ?? '';
  }

  get metadata(): string {
    return this.room.metadata ?? '';
  }

  async join(): Promise<void> {
    const { room } = this;
    const outage = new ConnectionOutage((event) => this.emit(event));
    room.on(LiveKitEvent.ParticipantConnected, (participant) => {
      this.emit({ kind: 'participant', participant: participantOf(participant) });
      if (outage.cameBack(participant.identity)) void this.learnAnswer(participantOf(participant));
    });
    room.on(LiveKitEvent.ParticipantAttributesChanged, (_changed, { identity }) => {
      const participant = room.remoteParticipants.get(identity);
      if (participant !== undefined)
        this.emit({ kind: 'participant', participant: participantOf(participant) });
    });
    room.on(LiveKitEvent.ParticipantDisconnected, (participant) => {
      const reason =
        DisconnectReason[participant.disconnectReason ?? DisconnectReason.UNKNOWN_REASON] ?? 'UNKNOWN_REASON';
      outage.left({ kind: 'left', participant: participantOf(participant), reason });
    });
    room.on(LiveKitEvent.TrackSubscribed, (track, _publication, participant) => {
      if (!isAudioTrack(track)) return;
      receiveAudio(track, (samples) =>
        this.emit({ kind: 'audio', participant: participantOf(participant), samples }),
      );
    });
    room.on(LiveKitEvent.Reconnecting, () => outage.begin());
    room.on(LiveKitEvent.Reconnected, () => outage.end());
    room.on(LiveKitEvent.Disconnected, (reason) => {
      outage.close();
      const { lostAt } = outage;
      this.emit({
        kind: 'closed',
        reason: DisconnectReason[reason] ?? 'UNKNOWN_REASON',
        ...(lostAt !== null && { lostAt }),
      });
    });
    const typed = new TypedMessages();
    room.registerTextStreamHandler(CHAT_TOPIC, (reader, { identity }) => {
      const participant = room.remoteParticipants.get(identity);
      if (participant === undefined) return void reader.close();
      void typed.read(reader).then((text) => {
        if (text !== null) this.emit({ kind: 'text', participant: participantOf(participant), text });
      });
    });
    await this.entry.connect();
  }

  listen(listener: (event: RoomEvent) => void): void {
    this.listeners.push(listener);
    for (const participant of this.room.remoteParticipants.values())
      listener({ kind: 'participant', participant: participantOf(participant) });
  }

  async publishVoice(): Promise<void> {
    if (this.voiceTrackSid !== null) return;
    const track = LocalAudioTrack.createAudioTrack('voice', this.voice);
    const options = new TrackPublishOptions({
      source: TrackSource.SOURCE_MICROPHONE,
      audioEncoding: { maxBitrate: VOICE_BITRATE },
    });
    const publication = await this.self().publishTrack(track, options);
    this.voiceTrackSid = publication.sid ?? '';
  }

  async publishReady(): Promise<void> {
    await this.setAttributes({ 'platform.ready': 'true' });
  }

  async setAttributes(attributes: Readonly<Record<string, string>>): Promise<void> {
    await this.self().setAttributes({ ...attributes });
  }

  get queuedMs(): number {
    return this.voice.queuedDuration;
  }

  clearQueue(): void {
    this.voice.clearQueue();
  }

  async send(samples: Samples): Promise<void> {
    await this.voice.captureFrame(frameOf(samples));
  }

  async play(samples: Samples, signal: AbortSignal): Promise<void> {
    await playSamples(this.voice, samples, signal);
  }

  async sinceAudioMs(): Promise<number | null> {
    return sinceLastAudioMs(await this.room.getRtcStats());
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

  async hangUp(identity: string): Promise<boolean> {
    const proof = await this.service.hangUp(this.name, identity, this.bridgeLeaves(identity));
    if (proof === 'unknown') await this.service.remove(this.name, identity);
    return proof !== 'lost';
  }

  remove(identity: string): Promise<void> {
    return this.service.remove(this.name, identity);
  }

  transfer(identity: string, to: string): Promise<void> {
    return this.service.transfer(this.name, identity, to);
  }

  delete(): Promise<void> {
    return this.service.delete(this.name);
  }

  async leave(): Promise<void> {
    await this.room.disconnect();
  }

  private bridgeLeaves(phone: string): Promise<void> {
    return new Promise((resolve) => {
      this.room.on(LiveKitEvent.ParticipantDisconnected, ({ identity, disconnectReason }) => {
        if (identity === phone && disconnectReason === DisconnectReason.CLIENT_INITIATED) resolve();
      });
    });
  }

  /** A phone that reconnects reports the status `dialing` again. If the callee answered during the outage, only the SIP bridge knows. */
  private async learnAnswer(participant: Participant): Promise<void> {
    if (!participant.isSip) return;
    const proof = await this.service.proofOf(this.name, participant.identity);
    if (proof?.kind !== 'there' || proof.isAnswered !== true) return;
    const attributes = { ...participant.attributes, 'sip.callStatus': 'active' };
    this.emit({ kind: 'participant', participant: { ...participant, attributes } });
  }

  private self(): LocalParticipant {
    const { localParticipant } = this.room;
    if (localParticipant === undefined) throw new Error('the room is not joined');
    return localParticipant;
  }

  private emit(event: RoomEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

const participantOf = ({ identity, kind, attributes }: RemoteParticipant): Participant => ({
  identity,
  isSip: kind === ParticipantKind.SIP,
  isAgent: kind === ParticipantKind.AGENT,
  attributes: { ...attributes },
});

export const entryOf = (job: JobContext): RoomEntry => ({
  name: job.job.room?.name ?? '',
  room: roomOf(job),
  connect: () => job.connect(),
});

/** Narrows the type. The SDK declares its types twice, for CommonJS and for ES modules, and TypeScript treats the two as different. */
function roomOf(job: JobContext): Room {
  const room: unknown = job.room;
  if (room instanceof Room) return room;
  throw new Error('the installed LiveKit packages have different room types');
}
