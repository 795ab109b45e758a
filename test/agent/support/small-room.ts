/** A room without LiveKit: what a test does in it the conversation hears, and the other way round. */
import type { ConversationRoom, Guest, RoomNews } from '../../../agent/conversation/room-port';
import { msOf, samplesIn, type Samples } from '../../../agent/sound/pcm';

const QUEUE_MS = 200;

export const CALLEE: Guest = { identity: 'callee', isSip: true, isAgent: false, attributes: {} };
export const BROWSER: Guest = { identity: 'web-user', isSip: false, isAgent: false, attributes: {} };

export class SmallRoom implements ConversationRoom {
  name = 'room-1';
  identity = 'agent-m';
  metadata = '';
  /** What the conversation did, in order. */
  readonly did: string[] = [];
  readonly captions: string[] = [];
  readonly played: Samples[] = [];
  readonly attributes: Record<string, string> = {};
  /** Frame by frame. */
  readonly sent: Samples[] = [];
  onSend: (samples: Samples) => void = () => undefined;
  private heardUntil = 0;
  /** Called with each new entry of `did`. */
  onDeed: (deed: string) => void = () => undefined;
  /** Thrown by the deed of this name. */
  failing: string | null = null;
  /** Whether anything comes from the other side, be it silence. */
  isLineDead = false;
  private readonly listeners: ((news: RoomNews) => void)[] = [];
  private readonly guests = new Map<string, Guest>();

  get record(): any {
    return JSON.parse(this.metadata);
  }

  /** Joins, or changes its status. */
  come(guest: Guest, callStatus?: string): void {
    const seen = {
      ...guest,
      attributes: { ...guest.attributes, ...(callStatus && { 'sip.callStatus': callStatus }) },
    };
    this.guests.set(guest.identity, seen);
    this.tell({ kind: 'guest', guest: seen });
  }

  go(guest: Guest, reason = 'CLIENT_INITIATED'): void {
    this.guests.delete(guest.identity);
    this.tell({ kind: 'left', guest, reason });
  }

  speak(guest: Guest, loudness = 8_000, ms = 50): void {
    const samples = Int16Array.from({ length: samplesIn(ms) }, (_none, at) =>
      at % 2 === 0 ? loudness : -loudness,
    );
    this.tell({ kind: 'heard', guest, samples });
  }

  hear(guest: Guest, samples: Samples): void {
    this.tell({ kind: 'heard', guest, samples });
  }

  type(guest: Guest, text: string): void {
    this.tell({ kind: 'typed', guest, text });
  }

  close(reason = 'ROOM_DELETED'): void {
    this.tell({ kind: 'closed', reason });
  }

  listen(listener: (news: RoomNews) => void): void {
    this.listeners.push(listener);
    for (const guest of this.guests.values()) listener({ kind: 'guest', guest });
  }

  receivesSound = (): Promise<boolean> => Promise.resolve(!this.isLineDead);
  join = (): Promise<void> => this.do('join');
  openVoice = (): Promise<void> => this.do('openVoice');
  sayReady = (): Promise<void> => this.do('sayReady');
  leave = (): Promise<void> => this.do('leave');
  delete = (): Promise<void> => this.do('delete');
  transfer = (identity: string, to: string): Promise<void> => this.do(`transfer ${identity} ${to}`);
  remove = (identity: string): Promise<void> => this.do(`remove ${identity}`);

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

  /** As a room does it: takes what is a little ahead, and lets wait for the rest. */
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

  private async do(deed: string): Promise<void> {
    await Promise.resolve();
    this.did.push(deed);
    if (this.failing === deed) throw new Error(`cannot ${deed}`);
    this.onDeed(deed);
  }

  private tell(news: RoomNews): void {
    for (const listener of [...this.listeners]) listener(news);
  }
}
