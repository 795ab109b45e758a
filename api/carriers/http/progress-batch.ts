/**
 * Writes the events of calls that go on, of all calls together, one statement for each half second: an answered call sends about nine,
 * and a statement for each would be half of all that the database does. An event is acknowledged when its statement is committed, so
 * a crash before that makes the carrier send it again.
 */
import type { ProgressEvent } from '../../../db/calls/events';

export const GATHER_MS = 500;
/** Where somebody listens to the call as it happens. */
const SOON_MS = 50;
const MOST_EVENTS = 500;

interface Gathered {
  events: ProgressEvent[];
  written: Promise<void>;
  write: () => void;
}

export class ProgressBatch {
  private gathered: Gathered | null = null;
  /** Batches are written one after the other, so that they never wait for each other's row locks. */
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly apply: (events: ProgressEvent[]) => Promise<void>,
    private readonly gatherMs: number = GATHER_MS,
  ) {}

  /** Resolves when the event is committed; fails when its batch could not be written. `isAwaited`: somebody waits for it. */
  add(event: ProgressEvent, isAwaited = false): Promise<void> {
    this.gathered ??= this.start();
    const { events, written, write } = this.gathered;
    events.push(event);
    if (events.length >= MOST_EVENTS) write();
    else if (isAwaited) setTimeout(write, Math.min(SOON_MS, this.gatherMs));
    return written;
  }

  /** Writes at once what is gathered of this call, as its end must not overtake it; waits for what is being written already. */
  async flush(reference: string): Promise<void> {
    const { gathered } = this;
    if (gathered === null || !gathered.events.some((event) => event.reference === reference)) {
      await this.lastWrite;
      return;
    }
    gathered.write();
    await gathered.written;
  }

  private start(): Gathered {
    let release: () => void = () => undefined;
    const due = new Promise<void>((resolve) => (release = resolve));
    const timer = setTimeout(release, this.gatherMs);
    const gathered: Gathered = {
      events: [],
      write: () => {
        clearTimeout(timer);
        release();
      },
      written: due.then(() => this.write(gathered)),
    };
    return gathered;
  }

  private async write(gathered: Gathered): Promise<void> {
    if (this.gathered === gathered) this.gathered = null;
    const before = this.lastWrite;
    const writing = before.then(() => this.apply(gathered.events));
    this.lastWrite = writing.catch(() => undefined);
    return writing;
  }
}
