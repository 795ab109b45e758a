/**
 * Tells whoever listens to the call what happens while it happens, for captions. Only what is worth nothing a second later: what was said
 * for good is a `segment` (`platform-events.ts`). So news may be lost, are never waited for and never repeated, and the conversation does
 * not notice whether the API is there.
 */
import { randomUUID } from 'node:crypto';
import { valueAt } from '../../workflows/domain/json';
import { MOST_LIVE_CHARACTERS, type LiveKind, type LiveUpdate } from '../../workflows/domain/live-updates';
import type { EventTarget } from './platform-events';
import { askApi } from './request';

export interface LiveDetails {
  speaker?: LiveUpdate['speaker'];
  /** Of a `transcript`: all of what this speaker is saying, as far as it is known; each one replaces the one before. */
  text?: string;
}

export interface LivePace {
  /** From one request to the next. A speaker's `transcript` is in a request once: four a second at most. */
  everyMs: number;
  /** How long nothing is told once the API has answered that nobody listens, or has not answered. */
  quietMs: number;
}

const PACE: LivePace = { everyMs: 250, quietMs: 5_000 };
/** More wait only where the API hangs. */
const MOST_WAITING = 20;

export class LiveNews {
  private waiting: LiveUpdate[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isSending = false;
  private lastSentAt = -Infinity;
  private quietUntil = -Infinity;
  private isClosed = false;

  constructor(
    private readonly target: Pick<EventTarget, 'apiUrl' | 'carrierSecret' | 'callId' | 'roomName'>,
    private readonly pace: LivePace = PACE,
  ) {}

  /** Returns at once. While nobody listens it does nothing. */
  tell(kind: LiveKind, { speaker, text }: LiveDetails = {}): void {
    if (this.isClosed || performance.now() < this.quietUntil) return;
    const { waiting } = this;
    const known = waiting.findIndex((news) => kind === 'transcript' && replaces(news, speaker));
    if (known !== -1) waiting.splice(known, 1);
    waiting.push({
      kind,
      ...(speaker === undefined ? {} : { speaker }),
      ...(text === undefined ? {} : { text: text.slice(-MOST_LIVE_CHARACTERS) }),
      at: new Date().toISOString(),
    });
    if (waiting.length > MOST_WAITING) waiting.shift();
    this.schedule();
  }

  /** What has not been sent is not worth it any more. */
  close(): void {
    this.isClosed = true;
    this.clear();
  }

  private clear(): void {
    this.waiting = [];
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private schedule(): void {
    if (this.isSending || this.timer !== null || this.waiting.length === 0) return;
    const dueInMs = Math.max(0, this.lastSentAt + this.pace.everyMs - performance.now());
    this.timer = setTimeout(() => void this.send(), dueInMs).unref();
  }

  /** One request at a time: an API that is slow gets the newest of what happened meanwhile. */
  private async send(): Promise<void> {
    this.timer = null;
    this.isSending = true;
    this.lastSentAt = performance.now();
    const news = this.waiting;
    this.waiting = [];
    const { callId, roomName } = this.target;
    const event = {
      event_id: randomUUID(),
      type: 'live',
      carrier_id: roomName,
      reference: callId,
      at: new Date().toISOString(),
      news,
    };
    const answer = await askApi(this.target, { method: 'POST', path: '/api/carrier/events', json: event });
    this.isSending = false;
    if (answer.kind === 'done' && isWanted(answer.body)) {
      this.schedule();
      return;
    }
    this.quietUntil = performance.now() + this.pace.quietMs;
    this.clear();
  }
}

const replaces = (news: LiveUpdate, speaker: LiveDetails['speaker']): boolean =>
  news.kind === 'transcript' && news.speaker === speaker;

/** The API answers whether anybody listens to this call. */
const isWanted = (body: unknown): boolean => valueAt(body, 'wanted') === true;
