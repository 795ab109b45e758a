/**
 * Emits the events of a call to the API, in order, each until it is acknowledged. Returns at once: events are queued while the API is
 * unavailable.
 */
import { randomUUID } from 'node:crypto';
import type { AnsweredBy, CarrierEndReason } from '../../domain/call-outcome';
import type { StrandedBy } from '../../domain/stranded-call';
import type { Speaker } from '../../domain/transcript';
import type { ReportedUsage } from '../../domain/usage-report';
import type { Log } from '../log';
import { callPath, requestApi, type ApiAccess } from './request';
import { withRetries } from './retry';

/** A call whose API was unavailable for longer has been ended by reconciliation. */
const KEPT_FOR_MS = 10 * 60_000;

/** As the carrier protocol names them (`docs/carrier.md`). */
export type AgentEvent =
  | { type: 'ringing' }
  /** Emitted again with `answered_by` once that is detected; without it when detection is off. */
  | { type: 'answered'; answered_by?: AnsweredBy }
  | SegmentEvent
  | UsageEvent
  /** A requested callback, as if the analysis had found it; null when no time was named. Must precede the end: after it, it may be too late. */
  | { type: 'callback'; callback_at: string | null }
  /** The phone cannot be reached, and may ring or be connected: the platform keeps its line for a while. */
  | { type: 'lost'; by: StrandedBy }
  /** `no_audio`: not a packet came from the phone, whose call is `dropped`. */
  | { type: 'ended'; end_reason: AgentEndReason; answered_by?: AnsweredBy; no_audio?: true };

/** A final segment of one speaker. */
export interface SegmentEvent {
  type: 'segment';
  speaker: Speaker;
  text: string;
  /** Milliseconds since the answer. Together with the speaker it identifies the segment: two events with both in common are one segment. */
  start_ms: number;
  end_ms: number;
  /** The speech was interrupted: `text` is the part that was played. */
  interrupted?: boolean;
  /** 0 to 1, from the recogniser. */
  confidence?: number;
  /** A BCP 47 tag. */
  language?: string;
}

/** Model usage of the conversation. The last event counts; before the end, so that the analysis has its figures. */
export interface UsageEvent extends ReportedUsage {
  type: 'usage';
}

/** The ends that an agent causes; the carrier reports all others. */
export const AGENT_END_REASONS = [
  'agent',
  'max_talk',
  'no_answer',
  'dropped',
] as const satisfies readonly CarrierEndReason[];
export type AgentEndReason = (typeof AGENT_END_REASONS)[number];

export interface EventTarget extends ApiAccess {
  callId: string;
  /** The carrier's id of the call: the room's name. */
  roomName: string;
  log: Log;
}

export class PlatformEvents {
  private queue: Promise<unknown> = Promise.resolve();
  private unacknowledged = 0;
  private readonly abandoned = new AbortController();

  constructor(private readonly target: EventTarget) {}

  /** `at` is when it happened; now by default. */
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

  /** Whether everything emitted so far was acknowledged within the limit. */
  async flush(limitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)));
    await Promise.race([this.queue, limit]);
    clearTimeout(timer);
    return this.unacknowledged === 0;
  }

  /** Stops all retries: what is not acknowledged by now is dropped. */
  abandon(): void {
    this.abandoned.abort();
  }

  private async send(message: { event_id: string; type: string }): Promise<void> {
    const { signal } = this.abandoned;
    const request = { method: 'POST', path: callPath(this.target.callId, '/events'), json: message } as const;
    const answer = signal.aborted
      ? ({ kind: 'unavailable', status: null } as const)
      : await withRetries(() => requestApi(this.target, request), { limitMs: KEPT_FOR_MS, signal });
    this.unacknowledged -= 1;
    if (answer.kind === 'ok') return;
    this.target.log.error({ type: message.type, status: answer.status }, 'the API did not take an event');
  }
}
