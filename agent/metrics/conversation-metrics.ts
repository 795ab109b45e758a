import type { ModelKind } from '../../domain/usage-cost';
import { toProcessMessage, type EndLabel, type MetricsMessage } from './metrics-message';

/** Counts the events of one conversation. */
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

  /** Counts `not_held` if no end was counted. */
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

/** Sends to the worker that started this process. Does nothing without one. */
export function sendToWorker(message: MetricsMessage): void {
  if (process.connected) process.send?.(toProcessMessage(message));
}
