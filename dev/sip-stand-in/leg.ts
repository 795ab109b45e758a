/** The phone's side of a call: a real participant of kind SIP with the attributes that livekit-sip sets. */
import { AudioSource, DisconnectReason, AudioFrame } from '@livekit/rtc-node';
import { LegConnection, type LegOptions, rejoin } from './leg-connection';

export type { LegOptions } from './leg-connection';

const STATUS = 'sip.callStatus';

/** An audio source with a queue fills gaps with silence. Without a queue, it sends only the frames it gets. */
const QUEUE_MS = 1_000;

export class Leg {
  private readonly source: AudioSource;
  private readonly tone: Tone;
  private readonly attributes: Record<string, string>;
  private connection: LegConnection | null = null;
  private isOver = false;
  /** Called when a participant requests that the leg hang up. */
  onEndCall: () => Promise<void> = () => Promise.resolve();
  private resolveAnswered: () => void = () => undefined;
  private readonly answered = new Promise<void>((resolve) => (this.resolveAnswered = resolve));
  private resolveGone: (reason: DisconnectReason) => void = () => undefined;
  /** Resolves when the leg has left the room for any reason and won't rejoin. */
  readonly gone = new Promise<DisconnectReason>((resolve) => (this.resolveGone = resolve));
  private resolveHeard: () => void = () => undefined;
  /** Resolves once another participant in the room is audible. */
  readonly heard = new Promise<void>((resolve) => (this.resolveHeard = resolve));

  private constructor(
    private readonly options: LegOptions,
    private readonly firstStatus: 'dialing' | 'ringing',
  ) {
    this.attributes = { ...options.attributes };
    this.source = new AudioSource(TONE_RATE_HZ, TONE_CHANNELS, options.sendsNothing ? 0 : QUEUE_MS);
    this.tone = new Tone(this.source);
  }

  /** Joins the room with a silent track. */
  static async join(options: LegOptions, status: 'dialing' | 'ringing'): Promise<Leg> {
    const leg = new Leg(options, status);
    await leg.connect();
    return leg;
  }

  get participantId(): string {
    return this.connection?.participantId ?? '';
  }

  get roomMetadata(): string {
    return this.connection?.roomMetadata ?? '';
  }

  /**
   * `more` contains attributes that the bridge knows once the call has this status. Without a connection to the room, all attributes are
   * lost, as with the bridge.
   */
  async status(
    status: 'ringing' | 'active' | 'hangup',
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    if (status === 'active') this.resolveAnswered();
    if (await this.connection?.set({ ...more, [STATUS]: status })) Object.assign(this.attributes, more);
  }

  talk(): void {
    this.tone.start();
  }

  fallSilent(): void {
    this.tone.stop();
  }

  async leave(reason: DisconnectReason): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await this.connection?.leave(reason);
    this.close(reason);
  }

  /**
   * Joins the room, also after an outage. The status is that of the first join until the call's next step, because server-sdk-go resends
   * the attributes of the first join.
   */
  private async connect(): Promise<void> {
    const attributes = { ...this.attributes, [STATUS]: this.firstStatus };
    const connection = await LegConnection.open({ ...this.options, attributes }, this.source, {
      answered: this.answered,
      endCall: () => this.onEndCall(),
    });
    if (this.isOver) return connection.leave(DisconnectReason.CLIENT_INITIATED);
    this.connection = connection;
    void connection.heard.then(this.resolveHeard);
    void connection.gone.then((reason) => this.end(reason));
    void connection.lost.then(() => this.returnToRoom());
  }

  private async returnToRoom(): Promise<void> {
    const { connection } = this;
    if (this.isOver) return;
    this.connection = null;
    void connection?.leave(DisconnectReason.UNKNOWN_REASON);
    const isBack = await rejoin(
      () => this.connect(),
      () => this.isOver,
    );
    if (!isBack) this.end(DisconnectReason.SIGNAL_CLOSE);
  }

  private end(reason: DisconnectReason): void {
    if (this.isOver) return;
    this.isOver = true;
    this.close(reason);
  }

  private close(reason: DisconnectReason): void {
    this.tone.stop();
    void this.source.close();
    this.resolveGone(reason);
  }
}

const TONE_RATE_HZ = 16_000;
const TONE_CHANNELS = 1;
const FRAME_MS = 100;
const PITCH_HZ = 300;
const LOUDNESS = 8_000;
/** A voice swells about four times a second. Speech detectors ignore a steady tone. */
const SYLLABLES_HZ = 4;
const SECOND_OF_TONE = secondOfTone();

/** Sound of the person on the phone, audible but without words. */
class Tone {
  private isPlaying = false;
  private frames = 0;

  constructor(private readonly source: AudioSource) {}

  start(): void {
    if (this.isPlaying) return;
    this.isPlaying = true;
    void this.play();
  }

  stop(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.source.clearQueue();
  }

  /** The source buffers one second of audio and makes further frames wait. */
  private async play(): Promise<void> {
    while (this.isPlaying) {
      try {
        await this.source.captureFrame(this.nextFrame());
      } catch {
        // The source was closed during a frame because the leg is over.
        return;
      }
    }
  }

  private nextFrame(): AudioFrame {
    const samples = (TONE_RATE_HZ * FRAME_MS) / 1000;
    const start = (this.frames % (1000 / FRAME_MS)) * samples;
    this.frames += 1;
    return new AudioFrame(SECOND_OF_TONE.slice(start, start + samples), TONE_RATE_HZ, TONE_CHANNELS, samples);
  }
}

function secondOfTone(): Int16Array {
  const turn = (2 * Math.PI) / TONE_RATE_HZ;
  return Int16Array.from({ length: TONE_RATE_HZ }, (_none, index) => {
    const swell = 0.6 - 0.4 * Math.cos(index * turn * SYLLABLES_HZ);
    return Math.round(LOUDNESS * swell * Math.sin(index * turn * PITCH_HZ));
  });
}
