/**
 * A time without LiveKit. The SDK reports everybody as gone when it begins, before it reports the outage itself, and as new once it is connected
 * again. A phone comes back when its SIP bridge is connected again too, whose attempts lie up to 19 s apart: it has left only if it does not.
 */
import type { RoomEvent } from '../session/state/room-port';

type Left = Extract<RoomEvent, { kind: 'left' }>;

const BACK_WITHIN_MS = 20_000;
/** Of those that are reported as gone before the outage that they are gone for. */
const FIRST_REPORTS_MS = 100;
/** What the SDK says where LiveKit did not say why. */
const NOT_SAID = 'UNKNOWN_REASON';

export class ConnectionOutage {
  /** When the connection was lost; null while there is one. */
  lostAt: number | null = null;
  private readonly missing = new Map<string, Left>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly emit: (left: Left) => void,
    private readonly backWithinMs = BACK_WITHIN_MS,
  ) {}

  begin(): void {
    this.lostAt ??= Date.now();
    clearTimeout(this.timer);
  }

  end(): void {
    this.lostAt = null;
    this.emitMissingAfter(this.backWithinMs);
  }

  /** The connection is lost for good: whoever was there may be there still. */
  close(): void {
    clearTimeout(this.timer);
    this.missing.clear();
  }

  left(event: Left): void {
    if (event.reason !== NOT_SAID) return this.emit(event);
    this.missing.set(event.participant.identity, event);
    if (this.lostAt === null) this.emitMissingAfter(FIRST_REPORTS_MS);
  }

  /** Whether it had gone. */
  cameBack(identity: string): boolean {
    return this.missing.delete(identity);
  }

  private emitMissingAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const missing = [...this.missing.values()];
      this.missing.clear();
      for (const left of missing) this.emit(left);
    }, ms).unref();
  }
}
