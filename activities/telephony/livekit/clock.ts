import { CarrierClock } from '../carrier-clock';

const ANSWER_WITHIN_MS = 2_000;
/** How long a reading is used. Clocks drift slowly and are rarely adjusted. */
const READ_FOR_MS = 60_000;

/**
 * Estimates LiveKit's clock from the `Date` header of its server. The SDK's clients don't expose the header, so this class sends separate
 * requests.
 */
export class LiveKitClock {
  private readonly carrierClock = new CarrierClock();
  private readAtMs: number | null = null;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly url: string,
    /** Used if LiveKit isn't responding, in which case it won't place a call either. */
    private readonly ours: () => number,
  ) {}

  async now(): Promise<number> {
    if (this.readAtMs === null || performance.now() - this.readAtMs > READ_FOR_MS) {
      this.reading ??= this.read().finally(() => (this.reading = null));
      await this.reading;
    }
    return this.known() ?? this.ours();
  }

  /** Returns null before the first reading. */
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
      // Keep the previous reading.
    }
  }
}
