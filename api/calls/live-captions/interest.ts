/**
 * Which calls have listeners, in any API process: updates of the others are not passed on. A process publishes its own calls when the
 * first listener comes, and again every 20 s; a process that has just connected asks the others to publish theirs.
 */
import { performance } from 'node:perf_hooks';

const REPUBLISH_MS = 20_000;
/** A process that died publishes nothing more; one notification may be lost. */
const BELIEVED_MS = 50_000;
/** Of an id at most 128 bytes; a payload has at most 8,000. */
const IDS_AT_ONCE = 50;
const ASK = '?';

export interface InterestDependencies {
  /** The calls that are listened to here. */
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
