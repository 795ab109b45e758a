import type { ConversationEnd } from '../session/state/conversation-end';
import { toProcessMessage, type EndLabel, type MetricsMessage, type Part } from './metrics-message';

/** The counts of one conversation. */
export class ConversationMetrics {
  private isEnded = false;

  constructor(private readonly send: (message: MetricsMessage) => void) {}

  begun(): void {
    this.send({ kind: 'begun' });
  }

  /** The first end counts. Null for a conversation that failed. */
  ended(end: ConversationEnd | null): void {
    this.end(end === null ? 'failed' : endLabelOf(end));
  }

  /** Counts `not_held` when no end was counted. */
  over(): void {
    this.end('not_held');
  }

  answered(responseMs: number): void {
    this.send({ kind: 'answered', responseMs });
  }

  failed(part: Part, provider: string): void {
    this.send({ kind: 'failed', part, provider });
  }

  fellBack(part: Part): void {
    this.send({ kind: 'fell back', part });
  }

  private end(end: EndLabel): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.send({ kind: 'ended', end });
  }
}

function endLabelOf(end: ConversationEnd): EndLabel {
  switch (end.by) {
    case 'agent':
      return end.reason;
    case 'remote party':
      return 'other_side';
    case 'another agent':
      return 'another_agent';
    default:
      return end.by;
  }
}

/** Sends to the worker that started this process; without effect when there is none. */
export function sendToWorker(message: MetricsMessage): void {
  if (process.connected) process.send?.(toProcessMessage(message));
}
