/** A room without LiveKit. Tests act as its participants and check what the conversation does in it. */
import type { ConversationRoom, Participant, RoomEvent } from '../../../agent/session/state/room-port';
import { msOf, samplesIn, type Samples } from '../../../agent/audio/pcm';

const QUEUE_MS = 200;

export const CALLEE: Participant = { identity: 'callee', isSip: true, isAgent: false, attributes: {} };
export const BROWSER: Participant = { identity: 'web-user', isSip: false, isAgent: false, attributes: {} };

export class FakeRoom implements ConversationRoom {
  name = 'room-1';
  identity = 'agent-m';
  metadata = '';
  /** The actions of the conversation, in order. */
  readonly actions: string[] = [];
  readonly captions: string[] = [];
  readonly played: Samples[] = [];
  readonly attributes: Record<string, string> = {};
  /** Sent audio, frame by frame. */
  readonly sent: Samples[] = [];
  onSend: (samples: Samples) => void = () => undefined;
  private heardUntil = 0;
  /** Called for each new entry of `actions`. */
  onAction: (action: string) => void = () => undefined;
  /** The action that throws. */
  failing: string | null = null;
  /** Milliseconds since the newest packet of the user's audio, including silence. Null when the user has sent none. */
  sinceAudio: number | null = 0;
  private readonly listeners: ((event: RoomEvent) => void)[] = [];
  private readonly participants = new Map<string, Participant>();

  get record(): any {
    return JSON.parse(this.metadata);
  }

  /** Adds a participant or changes its status. */
  addParticipant(participant: Participant, callStatus?: string): void {
    const seen = {
      ...participant,
      attributes: { ...participant.attributes, ...(callStatus && { 'sip.callStatus': callStatus }) },
    };
    this.participants.set(participant.identity, seen);
    this.emit({ kind: 'participant', participant: seen });
  }

  removeParticipant(participant: Participant, reason = 'CLIENT_INITIATED'): void {
    this.participants.delete(participant.identity);
    this.emit({ kind: 'left', participant, reason });
  }

  speak(participant: Participant, loudness = 8_000, ms = 50): void {
    const samples = Int16Array.from({ length: samplesIn(ms) }, (_none, at) =>
      at % 2 === 0 ? loudness : -loudness,
    );
    this.emit({ kind: 'audio', participant, samples });
  }

  sendAudio(participant: Participant, samples: Samples): void {
    this.emit({ kind: 'audio', participant, samples });
  }

  type(participant: Participant, text: string): void {
    this.emit({ kind: 'text', participant, text });
  }

  close(reason = 'ROOM_DELETED', lostAt?: number): void {
    this.emit({ kind: 'closed', reason, ...(lostAt !== undefined && { lostAt }) });
  }

  listen(listener: (event: RoomEvent) => void): void {
    this.listeners.push(listener);
    for (const participant of this.participants.values()) listener({ kind: 'participant', participant });
  }

  /** True if the phone's SIP bridge is dead. */
  isPhoneLost = false;
  sinceAudioMs = (): Promise<number | null> => Promise.resolve(this.sinceAudio);
  join = (): Promise<void> => this.do('join');
  publishVoice = (): Promise<void> => this.do('publishVoice');
  publishReady = (): Promise<void> => this.do('publishReady');
  leave = (): Promise<void> => this.do('leave');
  delete = (): Promise<void> => this.do('delete');
  transfer = (identity: string, to: string): Promise<void> => this.do(`transfer ${identity} ${to}`);
  remove = (identity: string): Promise<void> => this.do(`remove ${identity}`);
  hangUp = async (identity: string): Promise<boolean> => {
    await this.do(`hang up ${identity}`);
    return !this.isPhoneLost;
  };

  async setAttributes(attributes: Readonly<Record<string, string>>): Promise<void> {
    await Promise.resolve();
    Object.assign(this.attributes, attributes);
  }

  get queuedMs(): number {
    return Math.max(0, this.heardUntil - performance.now());
  }

  clearQueue(): void {
    this.heardUntil = performance.now();
  }

  /** Like a real room, accepts audio slightly ahead of playback and then waits. */
  async send(samples: Samples): Promise<void> {
    if (this.failing === 'send') throw new Error('cannot send');
    this.sent.push(samples);
    this.heardUntil = Math.max(this.heardUntil, performance.now()) + msOf(samples.length);
    this.onSend(samples);
    const aheadMs = this.queuedMs - QUEUE_MS;
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
  }

  async play(samples: Samples): Promise<void> {
    this.played.push(samples);
    await this.do('play');
  }

  async caption(text: string): Promise<void> {
    this.captions.push(text);
    await this.do('caption');
  }

  async saveMetadata(metadata: string): Promise<void> {
    await Promise.resolve();
    this.metadata = metadata;
  }

  private async do(action: string): Promise<void> {
    await Promise.resolve();
    this.actions.push(action);
    if (this.failing === action) throw new Error(`cannot ${action}`);
    this.onAction(action);
  }

  private emit(event: RoomEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}
