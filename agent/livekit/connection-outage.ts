/**
 * Handles a lost connection to LiveKit. The SDK then reports all participants as gone, but a phone returns once its SIP bridge has
 * reconnected, so it counts as gone only after 20 s.
 */
import type { RoomEvent } from '../session/state/room-port';

type Left = Extract<RoomEvent, { kind: 'left' }>;

const BACK_WITHIN_MS = 20_000;
/** How long departures that were reported just before an outage are held back. */
const FIRST_REPORTS_MS = 100;
/** The SDK's reason when LiveKit gave none. */
const NOT_SAID = 'UNKNOWN_REASON';

export class ConnectionOutage {
  /** When the connection was lost; null while connected. */
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

  /** The connection could not be restored. Participants that were in the room may still be there. */
  close(): void {
    clearTimeout(this.timer);
    this.missing.clear();
  }

  left(event: Left): void {
    if (event.reason !== NOT_SAID) return this.emit(event);
    this.missing.set(event.participant.identity, event);
    if (this.lostAt === null) this.emitMissingAfter(FIRST_REPORTS_MS);
  }

  /** Returns whether the participant was reported as gone before. */
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
