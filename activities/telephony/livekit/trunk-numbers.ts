import type { SipClient } from 'livekit-server-sdk';

/** Trunks are changed rarely. */
const KEPT_FOR_MS = 60_000;
/** What can be shown: a trunk may also allow every number, by an asterisk. */
const NUMBER = /^\+?\d+$/;

/** The numbers of a trunk that is stored at LiveKit: it would choose one of them itself, and never say which. */
export class TrunkNumbers {
  private known: { numbers: readonly string[]; readAtMs: number } | null = null;

  constructor(
    private readonly sip: Pick<SipClient, 'listSipOutboundTrunk'>,
    private readonly trunkId: string,
  ) {}

  /** Any of them, as LiveKit chooses; null where it has none, or cannot be asked: then LiveKit chooses. */
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
