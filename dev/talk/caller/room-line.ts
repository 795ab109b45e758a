/** A participant of a room with a microphone, as a browser is one. */
import {
  AudioSource,
  LocalAudioTrack,
  RemoteAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';

const CHANNELS = 1;

export class RoomLine {
  /** What is captured is said. */
  readonly microphone: AudioSource;
  private readonly room = new Room();

  constructor(options: {
    /** Of the microphone. */
    sampleRate: number;
    /** How much may be handed over before it is said. */
    queueMs: number;
    /** Takes what the others say. */
    listen: (track: RemoteAudioTrack) => Promise<void>;
  }) {
    this.microphone = new AudioSource(options.sampleRate, CHANNELS, options.queueMs);
    this.room.on(RoomEvent.TrackSubscribed, (track) => {
      if (track instanceof RemoteAudioTrack) void options.listen(track).catch(() => undefined);
    });
    // Captions: without a reader, the library logs each of them.
    this.room.registerTextStreamHandler('lk.transcription', () => undefined);
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack('microphone', this.microphone);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await this.room.localParticipant?.publishTrack(track, options);
  }

  async leave(): Promise<void> {
    await this.room.disconnect();
    await this.microphone.close();
  }
}
