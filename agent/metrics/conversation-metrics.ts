import type { ConversationEnd } from '../conversation/end';
import { asMessage, type End, type MetricsNews, type Part } from './news';

/** What one conversation has counted. */
export class ConversationMetrics {
  private isEnded = false;

  constructor(private readonly tell: (news: MetricsNews) => void) {}

  begun(): void {
    this.tell({ kind: 'begun' });
  }

  /** The first telling counts. Null for one that failed. */
  ended(end: ConversationEnd | null): void {
    this.end(end === null ? 'failed' : nameOf(end));
  }

  /** Nothing was held, if no end was told. */
  over(): void {
    this.end('not_held');
  }

  answered(responseMs: number): void {
    this.tell({ kind: 'answered', responseMs });
  }

  failed(part: Part, provider: string): void {
    this.tell({ kind: 'failed', part, provider });
  }

  fellBack(part: Part): void {
    this.tell({ kind: 'fell back', part });
  }

  private end(end: End): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.tell({ kind: 'ended', end });
  }
}

function nameOf(end: ConversationEnd): End {
  switch (end.by) {
    case 'agent':
      return end.reason;
    case 'other side':
      return 'other_side';
    case 'another agent':
      return 'another_agent';
    default:
      return end.by;
  }
}

/** The worker that started this process; without effect where there is none. */
export function tellWorker(news: MetricsNews): void {
  if (process.connected) process.send?.(asMessage(news));
}
