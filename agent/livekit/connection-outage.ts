/**
 * Handles a lost connection to LiveKit, after which the SDK reports that all participants have left. A phone returns once its SIP bridge
 * has reconnected, so we treat it as gone only after 20 s.
 */
import type { RoomEvent } from '../session/state/room-port';

type Left = Extract<RoomEvent, { kind: 'left' }>;

const RECONNECT_TIMEOUT_MS = 20_000;
/** The SDK can report departures shortly before it reports the outage, so the reports are delayed by this time. */
const FIRST_REPORTS_MS = 100;
/** The SDK's reason when LiveKit reported none. */
const NOT_SAID = 'UNKNOWN_REASON';

export class ConnectionOutage {
  /** When the connection was lost; null while connected. */
  lostAt: number | null = null;
  private readonly missing = new Map<string, Left>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly emit: (left: Left) => void,
    private readonly backWithinMs = RECONNECT_TIMEOUT_MS,
  ) {}

  begin(): void {
    this.lostAt ??= Date.now();
    clearTimeout(this.timer);
  }

  end(): void {
    this.lostAt = null;
    this.emitMissingAfter(this.backWithinMs);
  }

  /** Call this when the connection could not be restored. It reports no departures, because the participants may still be in the room. */
  close(): void {
    clearTimeout(this.timer);
    this.missing.clear();
  }

  left(event: Left): void {
    if (event.reason !== NOT_SAID) return this.emit(event);
    this.missing.set(event.participant.identity, event);
    if (this.lostAt === null) this.emitMissingAfter(FIRST_REPORTS_MS);
  }

  /** Returns true if the SDK had reported that the participant left. */
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
