/**
 * Knows which calls have listeners in any API process, because only their updates are relayed. A process publishes its calls when a first
 * listener connects, and again every 20 s. A process that has just connected asks the others to publish theirs.
 */
import { performance } from 'node:perf_hooks';

const REPUBLISH_MS = 20_000;
/** Long enough to miss one notification. A process that died publishes no more. */
const BELIEVED_MS = 50_000;
/** An id has at most 128 bytes and a payload at most 8,000. */
const IDS_AT_ONCE = 50;
const ASK = '?';

export interface InterestDependencies {
  /** Calls with listeners in this process. */
  callIds: () => Iterable<string>;
  publish: (payloads: readonly string[]) => void;
}

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

  ask(): void {
    this.deps.publish([ASK]);
    this.publishAll();
  }

  receive(payload: string): void {
    if (payload === ASK) {
      this.publishAll();
      return;
    }
    const until = performance.now() + BELIEVED_MS;
    for (const callId of payload.split(' ')) this.until.set(callId, until);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private publishAll(): void {
    const callIds = [...this.deps.callIds()];
    const pages = Array.from({ length: Math.ceil(callIds.length / IDS_AT_ONCE) }, (_none, page) =>
      callIds.slice(page * IDS_AT_ONCE, (page + 1) * IDS_AT_ONCE).join(' '),
    );
    if (pages.length > 0) this.deps.publish(pages);
  }

  private forget(): void {
    for (const [callId, until] of this.until) if (until <= performance.now()) this.until.delete(callId);
  }
}
