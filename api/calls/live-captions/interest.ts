/**
 * Which calls anybody listens to, in any API process: what nobody hears is not passed on. A process tells the others of its own calls when
 * the first listener comes, and again and again; whoever has just begun to listen asks.
 */
import { performance } from 'node:perf_hooks';

const TOLD_AGAIN_MS = 20_000;
/** A process that died tells nothing more; one notification may be lost. */
const BELIEVED_MS = 50_000;
/** Of an id at most 128 bytes; a payload has at most 8,000. */
const IDS_AT_ONCE = 50;
const ASK = '?';

export interface InterestDependencies {
  /** The calls that are listened to here. */
  callIds: () => Iterable<string>;
  tell: (payloads: readonly string[]) => void;
}

export class Interest {
  private readonly until = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly deps: InterestDependencies) {
    this.timer = setInterval(() => {
      this.forget();
      this.tellAll();
    }, TOLD_AGAIN_MS).unref();
  }

  isWantedElsewhere(callId: string): boolean {
    return (this.until.get(callId) ?? 0) > performance.now();
  }

  tell(callId: string): void {
    this.deps.tell([callId]);
  }

  ask(): void {
    this.deps.tell([ASK]);
    this.tellAll();
  }

  hear(payload: string): void {
    if (payload === ASK) {
      this.tellAll();
      return;
    }
    const until = performance.now() + BELIEVED_MS;
    for (const callId of payload.split(' ')) this.until.set(callId, until);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tellAll(): void {
    const callIds = [...this.deps.callIds()];
    const pages = Array.from({ length: Math.ceil(callIds.length / IDS_AT_ONCE) }, (_none, page) =>
      callIds.slice(page * IDS_AT_ONCE, (page + 1) * IDS_AT_ONCE).join(' '),
    );
    if (pages.length > 0) this.deps.tell(pages);
  }

  private forget(): void {
    for (const [callId, until] of this.until) if (until <= performance.now()) this.until.delete(callId);
  }
}
