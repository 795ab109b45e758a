/** Passes on what happens in calls that are listened to: gathered for a moment, told to all processes, and lost where that fails. */
import type { LiveItem, LiveNewsItem } from '../../../workflows/domain/live-news';

const GATHER_MS = 50;
/** As much as a payload takes, with room to spare. */
const MOST_BYTES = 7_000;
const MOST_WAITING = 1_000;

export interface NewsDeskDependencies {
  isWanted: (callId: string) => boolean;
  tell: (payloads: readonly string[]) => Promise<void>;
}

export class NewsDesk {
  private waiting: string[] = [];
  private isTelling = false;

  constructor(private readonly deps: NewsDeskDependencies) {}

  /** Whether anybody listens to the call. Answers at once. */
  take(callId: string, news: readonly LiveNewsItem[]): boolean {
    if (!this.deps.isWanted(callId)) return false;
    this.waiting.push(...news.map((each) => JSON.stringify({ callId, news: each } satisfies LiveItem)));
    if (this.waiting.length > MOST_WAITING) this.waiting = this.waiting.slice(-MOST_WAITING);
    if (!this.isTelling) this.tellSoon();
    return true;
  }

  private tellSoon(): void {
    this.isTelling = true;
    setTimeout(() => {
      const items = this.waiting;
      this.waiting = [];
      void this.deps.tell(payloadsOf(items)).finally(() => {
        this.isTelling = false;
        if (this.waiting.length > 0) this.tellSoon();
      });
    }, GATHER_MS).unref();
  }
}

/** As many items in each as fit; one that fits in none is left out. */
export function payloadsOf(items: readonly string[]): string[] {
  const payloads: string[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = Buffer.byteLength(item) + 1;
    if (size > MOST_BYTES) continue;
    if (bytes + size > MOST_BYTES) {
      payloads.push([]);
      bytes = 2;
    }
    payloads.at(-1)?.push(item);
    bytes += size;
  }
  return payloads.map((each) => `[${each.join(',')}]`);
}
