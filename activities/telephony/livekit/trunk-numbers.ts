import type { SipClient } from 'livekit-server-sdk';

/** Trunks rarely change. */
const KEPT_FOR_MS = 60_000;
/** Excludes the asterisk, with which a trunk allows every number. */
const NUMBER = /^\+?\d+$/;

/** The numbers of a trunk that is configured in LiveKit. We choose one, because LiveKit would not report its own choice. */
export class TrunkNumbers {
  private known: { numbers: readonly string[]; readAtMs: number } | null = null;

  constructor(
    private readonly sip: Pick<SipClient, 'listSipOutboundTrunk'>,
    private readonly trunkId: string,
  ) {}

  /** Returns a random number of the trunk. Returns null if it has none or LiveKit does not answer, and LiveKit chooses then. */
  async any(): Promise<string | null> {
    const numbers = await this.numbers();
    return numbers[Math.floor(Math.random() * numbers.length)] ?? null;
  }

  private async numbers(): Promise<readonly string[]> {
    if (this.known !== null && performance.now() - this.known.readAtMs < KEPT_FOR_MS)
      return this.known.numbers;
    try {
      const [trunk] = await this.sip.listSipOutboundTrunk({ trunkIds: [this.trunkId] });
      const numbers = (trunk?.numbers ?? []).filter((number) => NUMBER.test(number));
      this.known = { numbers, readAtMs: performance.now() };
      return numbers;
    } catch {
      return this.known?.numbers ?? [];
    }
  }
}
