/** Relays the live updates of calls between API processes. */
import { performance } from 'node:perf_hooks';
import type { LiveItem, LiveUpdate } from '../../../domain/live-updates';

const REPUBLISH_MS = 20_000;
/** Long enough to miss one notification. After this time the process is assumed to be dead. */
const INTEREST_LASTS_MS = 50_000;
/** An id has at most 128 bytes and a payload at most 8,000. */
const IDS_PER_PAYLOAD = 50;
const LIST_REQUEST = '?';

interface InterestDependencies {
  /** Calls with listeners in this process. */
  callIds: () => Iterable<string>;
  publish: (payloads: readonly string[]) => void;
}

/**
 * Tracks which calls have listeners in any API process, because only their updates are relayed. Each process publishes its calls when the
 * first listener connects and every 20 s. A process that has just connected requests the others' lists.
 */
export class Interest {
  private readonly until = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly deps: InterestDependencies) {
    this.timer = setInterval(() => {
      this.forget();
      this.publishAll();
    }, REPUBLISH_MS).unref();
  }

  isWantedElsewhere(callId: string): boolean {
    return (this.until.get(callId) ?? 0) > performance.now();
  }

  publish(callId: string): void {
    this.deps.publish([callId]);
  }

  /** Requests the lists of the other processes and publishes its own. */
  requestLists(): void {
    this.deps.publish([LIST_REQUEST]);
    this.publishAll();
  }

  receive(payload: string): void {
    if (payload === LIST_REQUEST) {
      this.publishAll();
      return;
    }
    const until = performance.now() + INTEREST_LASTS_MS;
    for (const callId of payload.split(' ')) this.until.set(callId, until);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private publishAll(): void {
    const callIds = [...this.deps.callIds()];
    const pages = Array.from({ length: Math.ceil(callIds.length / IDS_PER_PAYLOAD) }, (_none, page) =>
      callIds.slice(page * IDS_PER_PAYLOAD, (page + 1) * IDS_PER_PAYLOAD).join(' '),
    );
    if (pages.length > 0) this.deps.publish(pages);
  }

  private forget(): void {
    for (const [callId, until] of this.until) if (until <= performance.now()) this.until.delete(callId);
  }
}

const GATHER_MS = 50;
/** Below the limit of a notification's payload, with room to spare. */
const MAX_BYTES = 7_000;
const MAX_WAITING = 1_000;

interface UpdateRelayDependencies {
  isWanted: (callId: string) => boolean;
  publish: (payloads: readonly string[]) => Promise<void>;
}

/** Relays live updates of calls with listeners: batches them briefly and publishes them to all processes. Failed batches are dropped. */
export class UpdateRelay {
  private waiting: string[] = [];
  private isPublishing = false;

  constructor(private readonly deps: UpdateRelayDependencies) {}

  /** Returns false immediately if the call has no listeners. */
  take(callId: string, updates: readonly LiveUpdate[]): boolean {
    if (!this.deps.isWanted(callId)) return false;
    this.waiting.push(...updates.map((update) => JSON.stringify({ callId, update } satisfies LiveItem)));
    if (this.waiting.length > MAX_WAITING) this.waiting = this.waiting.slice(-MAX_WAITING);
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
    if (size > MAX_BYTES) continue;
    if (bytes + size > MAX_BYTES) {
      payloads.push([]);
      bytes = 2;
    }
    payloads.at(-1)?.push(item);
    bytes += size;
  }
  return payloads.map((each) => `[${each.join(',')}]`);
}
