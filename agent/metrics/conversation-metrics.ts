/**
 * The metrics of one conversation, without any name, number or id. The process sends them to the worker, because it ends too soon for
 * Prometheus to scrape it.
 */
import { isJsonObject, valueAt } from '../../domain/json';
import { type ModelKind, MODEL_KINDS } from '../../domain/usage-cost';
import { AGENT_END_REASONS } from '../platform/platform-events';

/** Labels for who ended a conversation and why. */
const END_LABELS = [
  ...AGENT_END_REASONS,
  'user',
  'unanswered',
  'room',
  'another_agent',
  'process',
  /** The conversation never began, for example because the caller was rejected. */
  'not_held',
  /** The conversation failed with an error. */
  'failed',
  /** The conversation's process died. */
  'vanished',
] as const;
export type EndLabel = (typeof END_LABELS)[number];

export type MetricsMessage =
  | { kind: 'begun' }
  | { kind: 'ended'; end: EndLabel }
  /** `responseMs` is the time from the end of the user's words to the agent's first audio. */
  | { kind: 'answered'; responseMs: number }
  /** A request to a provider failed. The agent may retry it. */
  | { kind: 'failed'; part: ModelKind; provider: string }
  /** A fallback provider handled a request. */
  | { kind: 'fell back'; part: ModelKind };

/** Distinguishes our messages from the SDK's messages on the same channel. */
const CASE = 'platformMetrics';

export const toProcessMessage = (message: MetricsMessage): object => ({ case: CASE, value: message });

/** Returns null if the message is not one of ours. */
export function readMetricsMessage(message: unknown): MetricsMessage | null {
  const value = valueAt(message, 'value');
  if (valueAt(message, 'case') !== CASE || !isJsonObject(value)) return null;
  const part = MODEL_KINDS.find((one) => one === value.part);
  switch (value.kind) {
    case 'begun':
      return { kind: 'begun' };
    case 'ended': {
      const end = END_LABELS.find((one) => one === value.end);
      return end === undefined ? null : { kind: 'ended', end };
    }
    case 'answered':
      return typeof value.responseMs === 'number' ? { kind: 'answered', responseMs: value.responseMs } : null;
    case 'failed':
      return part === undefined || typeof value.provider !== 'string'
        ? null
        : { kind: 'failed', part, provider: value.provider };
    case 'fell back':
      return part === undefined ? null : { kind: 'fell back', part };
    default:
      return null;
  }
}

export class ConversationMetrics {
  private isEnded = false;

  constructor(private readonly send: (message: MetricsMessage) => void) {}

  begun(): void {
    this.send({ kind: 'begun' });
  }

  /** Only the first end counts. */
  ended(end: EndLabel): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.send({ kind: 'ended', end });
  }

  /** Counts `not_held` if no end was counted before. */
  over(): void {
    this.ended('not_held');
  }

  answered(responseMs: number): void {
    this.send({ kind: 'answered', responseMs });
  }

  failed(part: ModelKind, provider: string): void {
    this.send({ kind: 'failed', part, provider });
  }

  fellBack(part: ModelKind): void {
    this.send({ kind: 'fell back', part });
  }
}

/** Sends a message to the worker that started this process. Does nothing if there is none. */
export function sendToWorker(message: MetricsMessage): void {
  if (process.connected) process.send?.(toProcessMessage(message));
}
