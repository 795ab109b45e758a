import { CarrierClock } from '../http/carrier-clock';

const ANSWER_WITHIN_MS = 2_000;
/** Clocks drift slowly, and are set rarely. */
const READ_FOR_MS = 60_000;

/** LiveKit's clock, as the `Date` of its answers shows it. Its API's clients keep that to themselves, so the server is asked for nothing. */
export class LiveKitClock {
  private readonly carrierClock = new CarrierClock();
  private readAtMs: number | null = null;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly url: string,
    /** Where LiveKit's cannot be had: a server that does not answer this will place no call either. */
    private readonly ours: () => number,
  ) {}

  async now(): Promise<number> {
    if (this.readAtMs === null || performance.now() - this.readAtMs > READ_FOR_MS) {
      this.reading ??= this.read().finally(() => (this.reading = null));
      await this.reading;
    }
    return this.known() ?? this.ours();
  }

  /** Null before it was read. */
  known(): number | null {
    return this.carrierClock.now();
  }

  private async read(): Promise<void> {
    const sentAtMs = performance.now();
    try {
      const answer = await fetch(this.url.replace(/^ws/, 'http'), {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        redirect: 'error',
      });
      this.carrierClock.read(answer.headers.get('date'), sentAtMs);
      this.readAtMs = performance.now();
      await answer.text();
    } catch {
      // What it showed before stands.
    }
  }
}
