/** The phone's side of a call: a real participant of kind SIP, with the attributes that livekit-sip sets. */
import { AudioSource, DisconnectReason } from '@livekit/rtc-node';
import { LegConnection, type LegOptions } from './leg-connection';
import { rejoin } from './rejoin';
import { Tone, TONE_CHANNELS, TONE_RATE_HZ } from './tone';

export type { LegOptions } from './leg-connection';

const STATUS = 'sip.callStatus';

/** A source with a queue fills gaps with silence. A source without one sends only what it is given. */
const QUEUE_MS = 1_000;

export class Leg {
  private readonly source: AudioSource;
  private readonly tone: Tone;
  private readonly attributes: Record<string, string>;
  private connection: LegConnection | null = null;
  private isOver = false;
  /** Called when a participant asks the leg to hang up. */
  onEndCall: () => Promise<void> = () => Promise.resolve();
  private markAnswered: () => void = () => undefined;
  private readonly answered = new Promise<void>((resolve) => (this.markAnswered = resolve));
  private markGone: (reason: DisconnectReason) => void = () => undefined;
  /** Resolves when the leg has left the room and won't come back, for any reason. */
  readonly gone = new Promise<DisconnectReason>((resolve) => (this.markGone = resolve));
  private markHeard: () => void = () => undefined;
  /** Resolves once another participant in the room is audible. */
  readonly heard = new Promise<void>((resolve) => (this.markHeard = resolve));

  private constructor(
    private readonly options: LegOptions,
    private readonly firstStatus: 'dialing' | 'ringing',
  ) {
    this.attributes = { ...options.attributes };
    this.source = new AudioSource(TONE_RATE_HZ, TONE_CHANNELS, options.sendsNothing ? 0 : QUEUE_MS);
    this.tone = new Tone(this.source);
  }

  /** Joins the room with a track that is still silent. */
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
   * `more` holds attributes that the bridge knows from this status on. Without a connection to the room, all of them are lost, as with the
   * bridge.
   */
  async status(
    status: 'ringing' | 'active' | 'hangup',
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    if (status === 'active') this.markAnswered();
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
   * Joins the room, also after an outage. The status is then that of the first join until the call's next step, because server-sdk-go sends
   * the first join's attributes each time and they override those in the renewed token.
   */
  private async connect(): Promise<void> {
    const attributes = { ...this.attributes, [STATUS]: this.firstStatus };
    const connection = await LegConnection.open({ ...this.options, attributes }, this.source, {
      answered: this.answered,
      endCall: () => this.onEndCall(),
    });
    if (this.isOver) return connection.leave(DisconnectReason.CLIENT_INITIATED);
    this.connection = connection;
    void connection.heard.then(this.markHeard);
    void connection.gone.then((reason) => this.end(reason));
    void connection.lost.then(() => this.comeBack());
  }

  private async comeBack(): Promise<void> {
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
    this.markGone(reason);
  }
}
