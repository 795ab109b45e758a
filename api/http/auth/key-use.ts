import { LAST_USED_PRECISION_MS, noteKeyUse } from '../../../db/clients/api-keys';
import type { Db } from '../../../db/kernel/connection';

/**
 * Writes down when a key was last used, to the minute, beside the request: no request waits for it or fails with it. A write that fails is
 * left until the minute after, so that a row that cannot be written costs one connection a minute at most.
 */
export class KeyUse {
  /** Until when a key is left alone, by its id. Holds keys whose write is under way or has failed: never more than there are keys. */
  private readonly leftUntil = new Map<string, number>();

  constructor(private readonly db: Db) {}

  note(keyId: string, lastUsedAt: number | null, now: number): void {
    if (lastUsedAt !== null && now - lastUsedAt < LAST_USED_PRECISION_MS) return;
    if ((this.leftUntil.get(keyId) ?? -Infinity) > now) return;
    this.leftUntil.set(keyId, now + LAST_USED_PRECISION_MS);
    noteKeyUse(this.db, keyId, now).then(
      () => this.leftUntil.delete(keyId),
      () => undefined,
    );
  }
}
