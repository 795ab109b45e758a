import { LAST_USED_PRECISION_MS, noteKeyUse } from '../../../db/organizations/api-keys';
import type { Db } from '../../../db/kernel/connection';

/**
 * Records when a key was last used, to the minute, without delaying or failing requests. A failed write is retried after a minute, so a row
 * that can't be written costs at most one connection a minute.
 */
export class KeyUse {
  /** Earliest time of the next write, by key id. Holds only keys whose write is in progress or failed. */
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
