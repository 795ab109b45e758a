/**
 * Sends the events of a call to the API in order and retries each until the API acknowledges it. `emit` returns immediately, and events are
 * queued while the API is unavailable.
 */
import { randomUUID } from 'node:crypto';
import type { AnsweredBy, CarrierEndReason } from '../../domain/call-outcome';
import type { OrphanedBy } from '../../domain/orphaned-call';
import type { Speaker } from '../../domain/transcript';
import type { ReportedUsage } from '../../domain/usage-report';
import { withTimeout } from '../../runtime/network/time-limit';
import type { Log } from '../log';
import { callPath, requestApi, type ApiAccess, withRetries } from './request';

/** After this time, reconciliation has already ended a call whose events did not arrive. */
const KEPT_FOR_MS = 10 * 60_000;

/** Event names are those of the carrier protocol (`docs/carrier.md`). */
type AgentEvent =
  | { type: 'ringing' }
  /**
   * Emitted when the call is answered, and a second time with `answered_by` once that is detected. If detection is off, only the first
   * event is emitted.
   */
  | { type: 'answered'; answered_by?: AnsweredBy }
  | SegmentEvent
  | UsageEvent
  /**
   * A callback that the caller requested, handled as if the analysis had found it; `callback_at` is null when the caller named no time.
   * Must be sent before the end, because it may be too late afterwards.
   */
  | { type: 'callback'; callback_at: string | null }
  /** The agent can't reach the phone, which may still be ringing or connected. The platform keeps its line for a while. */
  | { type: 'lost'; by: OrphanedBy }
  /** `no_audio`: the phone never sent any audio. The call is then `dropped`. */
  | { type: 'ended'; end_reason: AgentEndReason; answered_by?: AnsweredBy; no_audio?: true };

/** A final utterance of one speaker. */
export interface SegmentEvent {
  type: 'segment';
  speaker: Speaker;
  text: string;
  /** Milliseconds since the answer. Speaker and start identify a segment, so two events with the same values are the same segment. */
  start_ms: number;
  end_ms: number;
  /** True if the speech was interrupted. `text` then contains only the part that was played. */
  interrupted?: boolean;
  /** From 0 to 1, as reported by the recogniser. */
  confidence?: number;
  /** A BCP 47 tag. */
  language?: string;
}

/**
 * Model usage of the conversation, of which only the last event is used. Must be sent before the end so that the analysis has the figures.
 */
interface UsageEvent extends ReportedUsage {
  type: 'usage';
}

/** End reasons that the agent reports. The carrier reports all others. */
export const AGENT_END_REASONS = [
  'agent',
  'max_talk',
  'no_answer',
  'dropped',
] as const satisfies readonly CarrierEndReason[];
export type AgentEndReason = (typeof AGENT_END_REASONS)[number];

export interface EventTarget extends ApiAccess {
  callId: string;
  /** The room's name, which the carrier uses as the id of the call. */
  roomName: string;
  log: Log;
}

export class PlatformEvents {
  private queue: Promise<unknown> = Promise.resolve();
  private unacknowledged = 0;
  private readonly abandoned = new AbortController();

  constructor(private readonly target: EventTarget) {}

  /** `at` is when the event happened. Default: now. */
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

  /** Returns true if the API acknowledged all events so far within the limit. */
  async flush(limitMs: number): Promise<boolean> {
    await withTimeout(limitMs, this.queue, () => undefined);
    return this.unacknowledged === 0;
  }

  /** Stops all retries and drops unacknowledged events. */
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
    this.target.log.error({ type: message.type, status: answer.status }, 'the API did not accept an event');
  }
}
