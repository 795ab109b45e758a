/** Passes on the live updates of calls that have listeners: gathered for a moment, published to all processes, lost where that fails. */
import type { LiveItem, LiveUpdate } from '../../../domain/live-updates';

const GATHER_MS = 50;
/** As much as a payload takes, with room to spare. */
const MOST_BYTES = 7_000;
const MOST_WAITING = 1_000;

export interface UpdateRelayDependencies {
  isWanted: (callId: string) => boolean;
  publish: (payloads: readonly string[]) => Promise<void>;
}

export class UpdateRelay {
  private waiting: string[] = [];
  private isPublishing = false;

  constructor(private readonly deps: UpdateRelayDependencies) {}

  /** Returns at once whether anybody listens to the call. */
  take(callId: string, updates: readonly LiveUpdate[]): boolean {
    if (!this.deps.isWanted(callId)) return false;
    this.waiting.push(...updates.map((update) => JSON.stringify({ callId, update } satisfies LiveItem)));
    if (this.waiting.length > MOST_WAITING) this.waiting = this.waiting.slice(-MOST_WAITING);
    if (!this.isPublishing) this.publishSoon();
    return true;
  }

  private publishSoon(): void {
    this.isPublishing = true;
    setTimeout(() => {
      const items = this.waiting;
      this.waiting = [];
      void this.deps.publish(payloadsOf(items)).finally(() => {
        this.isPublishing = false;
        if (this.waiting.length > 0) this.publishSoon();
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
