/**
 * Tells the API what becomes of the call, in order, each event until it has it. The conversation never waits for it: events queue up
 * while the API is away.
 */
import { randomUUID } from 'node:crypto';
import type { AnsweredBy } from '../../workflows/domain/call-outcome';
import type { Speaker } from '../../workflows/domain/transcript';
import type { ModelKind } from '../../workflows/domain/usage-cost';
import type { Log } from '../log';
import { requestApi, type ApiAccess } from './request';
import { withRetries } from './retry';

/** A call whose API was away for longer was ended by the platform's own looking up. */
const KEPT_FOR_MS = 10 * 60_000;

/** As the carrier protocol names them (`docs/carrier.md`). */
export type AgentEvent =
  | { type: 'ringing' }
  /** Told again once it is known who answered; left open where nobody listens for that. */
  | { type: 'answered'; answered_by?: AnsweredBy }
  | SegmentEvent
  | UsageEvent
  /** A callback is wanted, as if the analysis had found it; null where no time was named. Before the end: after it, it may be too late. */
  | { type: 'callback'; callback_at: string | null }
  | { type: 'ended'; end_reason: AgentEndReason; answered_by?: AnsweredBy };

/** What one side has said for good. */
export interface SegmentEvent {
  type: 'segment';
  speaker: Speaker;
  text: string;
  /** Milliseconds since the answer. The platform knows a segment by its speaker and this: two that have both in common are one. */
  start_ms: number;
  end_ms: number;
  /** The other side cut it short: `text` is what was heard of it. */
  interrupted?: boolean;
  /** 0 to 1, as the recogniser puts it. */
  confidence?: number;
  /** As BCP 47 names it. */
  language?: string;
}

/** What the conversation used. Told again, the last stands; best before the end, so that the analysis has its figures. */
export interface UsageEvent {
  type: 'usage';
  models: readonly UsedModel[];
  /** From the end of each of the user's turns to the agent's first sound. */
  response_ms: readonly number[];
  /** How often the agent was interrupted. */
  interruptions: number;
}

export interface UsedModel {
  kind: ModelKind;
  provider: string;
  model: string;
  input_tokens?: number;
  /** Of the input, those that the provider had read before. */
  cached_tokens?: number;
  output_tokens?: number;
  characters?: number;
  audio_ms?: number;
  requests?: number;
}

/** The ends that an agent causes; all others are the carrier's to tell. */
export const AGENT_END_REASONS = ['agent', 'max_talk', 'no_answer', 'dropped'] as const;
export type AgentEndReason = (typeof AGENT_END_REASONS)[number];

export interface EventTarget extends ApiAccess {
  callId: string;
  /** The carrier's own name of the call: the room's. */
  roomName: string;
  log: Log;
}

export class PlatformEvents {
  private queue: Promise<unknown> = Promise.resolve();
  private unacknowledged = 0;
  private readonly abandoned = new AbortController();

  constructor(private readonly target: EventTarget) {}

  /** `at` is the truth about when it happened; now unless given. */
  emit(event: AgentEvent, at = new Date()): void {
    const { callId, roomName } = this.target;
    const message = {
      event_id: randomUUID(),
      carrier_id: roomName,
      reference: callId,
      at: at.toISOString(),
      ...event,
    };
    this.unacknowledged += 1;
    this.queue = this.queue.then(() => this.send(message));
  }

  /** Whether all that was told so far has arrived, within the limit. */
  async flush(limitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)));
    await Promise.race([this.queue, limit]);
    clearTimeout(timer);
    return this.unacknowledged === 0;
  }

  /** What has not arrived by now is not told any more. */
  abandon(): void {
    this.abandoned.abort();
  }

  private async send(message: { event_id: string; type: string }): Promise<void> {
    const { signal } = this.abandoned;
    const request = { method: 'POST', path: '/api/carrier/events', json: message } as const;
    const answer = signal.aborted
      ? ({ kind: 'unavailable', status: null } as const)
      : await withRetries(() => requestApi(this.target, request), { limitMs: KEPT_FOR_MS, signal });
    this.unacknowledged -= 1;
    if (answer.kind === 'ok') return;
    this.target.log.error({ type: message.type, status: answer.status }, 'the API did not take an event');
  }
}
