/** A room participant with a microphone, like a browser. */
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
  /** Frames captured here are sent to the room. */
  readonly microphone: AudioSource;
  private readonly room = new Room();

  constructor(options: {
    /** Sample rate of the microphone. */
    sampleRate: number;
    /** How much audio can be queued. */
    queueMs: number;
    /** Receives the other participants' audio. */
    listen: (track: RemoteAudioTrack) => Promise<void>;
  }) {
    this.microphone = new AudioSource(options.sampleRate, CHANNELS, options.queueMs);
    this.room.on(RoomEvent.TrackSubscribed, (track) => {
      if (track instanceof RemoteAudioTrack) void options.listen(track).catch(() => undefined);
    });
    // Without a handler, the library logs every caption.
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
