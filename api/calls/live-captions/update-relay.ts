/** Relays live updates of calls with listeners: batches them briefly and publishes them to all processes. Failed batches are dropped. */
import type { LiveItem, LiveUpdate } from '../../../domain/live-updates';

const GATHER_MS = 50;
/** Below the limit of a notification's payload, with room to spare. */
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

  /** Returns false immediately if the call has no listeners. */
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

/** Packs the items into as few payloads as possible. Drops items that are too large. */
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
