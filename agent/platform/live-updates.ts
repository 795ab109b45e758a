/**
 * Publishes the events of a call for live captions; final speech is sent as `segment` events (`platform-events.ts`). An update is worthless
 * after a second, so updates can be lost and are never awaited or retried.
 */
import { randomUUID } from 'node:crypto';
import { valueAt } from '../../domain/json';
import { MAX_LIVE_CHARACTERS, type LiveKind, type LiveUpdate } from '../../domain/live-updates';
import type { EventTarget } from './platform-events';
import { callPath, requestApi } from './request';

interface LiveDetails {
  speaker?: LiveUpdate['speaker'];
  /** For a `transcript`: the complete text of the current utterance so far. It replaces the previous one. */
  text?: string;
}

export interface LivePace {
  /**
   * Interval between requests. Since a request contains at most one `transcript` per speaker, each speaker sends at most four per second.
   */
  intervalMs: number;
  /** Pause after the API reported that there are no listeners, or didn't respond. */
  pauseMs: number;
}

const PACE: LivePace = { intervalMs: 250, pauseMs: 5_000 };
/** The queue reaches this length only when the API hangs. */
const MAX_QUEUED = 20;

export class LiveUpdates {
  private queued: LiveUpdate[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isSending = false;
  private lastSentAt = -Infinity;
  private pausedUntil = -Infinity;
  private isClosed = false;

  constructor(
    private readonly target: Pick<EventTarget, 'apiUrl' | 'secret' | 'callId' | 'roomName'>,
    private readonly pace: LivePace = PACE,
  ) {}

  /** Queues an update and returns immediately. Does nothing while there are no listeners. */
  publish(kind: LiveKind, { speaker, text }: LiveDetails = {}): void {
    if (this.isClosed || performance.now() < this.pausedUntil) return;
    const { queued } = this;
    const known = queued.findIndex((item) => kind === 'transcript' && replaces(item, speaker));
    if (known !== -1) queued.splice(known, 1);
    queued.push({
      kind,
      ...(speaker === undefined ? {} : { speaker }),
      ...(text === undefined ? {} : { text: text.slice(-MAX_LIVE_CHARACTERS) }),
      at: new Date().toISOString(),
    });
    if (queued.length > MAX_QUEUED) queued.shift();
    this.schedule();
  }

  /** Drops updates that have not been sent. */
  close(): void {
    this.isClosed = true;
    this.clear();
  }

  private clear(): void {
    this.queued = [];
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private schedule(): void {
    if (this.isSending || this.timer !== null || this.queued.length === 0) return;
    const dueInMs = Math.max(0, this.lastSentAt + this.pace.intervalMs - performance.now());
    this.timer = setTimeout(() => void this.send(), dueInMs).unref();
  }

  /** Sends one request at a time. After a slow response, the next request contains the newest state. */
  private async send(): Promise<void> {
    this.timer = null;
    this.isSending = true;
    this.lastSentAt = performance.now();
    const items = this.queued;
    this.queued = [];
    const { callId, roomName } = this.target;
    const event = {
      event_id: randomUUID(),
      type: 'live',
      carrier_id: roomName,
      reference: callId,
      at: new Date().toISOString(),
      news: items,
    };
    const answer = await requestApi(this.target, {
      method: 'POST',
      path: callPath(callId, '/events'),
      json: event,
    });
    this.isSending = false;
    if (answer.kind === 'ok' && isWanted(answer.body)) {
      this.schedule();
      return;
    }
    this.pausedUntil = performance.now() + this.pace.pauseMs;
    this.clear();
  }
}

const replaces = (item: LiveUpdate, speaker: LiveDetails['speaker']): boolean =>
  item.kind === 'transcript' && item.speaker === speaker;

/** The API's response says whether anyone listens to this call. */
const isWanted = (body: unknown): boolean => valueAt(body, 'wanted') === true;
