import { keyOfSecret } from '../../db/organizations/api-keys';
import { recordAudit } from '../../db/organizations/audit';
import type { Db } from '../../db/kernel/connection';

const WINDOW_MS = 60_000;
/** Failed sign-ins that one process records per minute, for all addresses together. */
export const MAX_RECORDED_A_MINUTE = 20;

export interface FailedSignIn {
  /** The API key or sign-in token that the visitor sent. */
  secret: string;
  address: string;
  requestId: string;
}

/**
 * Records failed sign-ins in the audit log. Those with a revoked or expired key are recorded for its organization, all others for the
 * operator. Beyond the limit none are recorded, so that they can't fill the log.
 */
export class FailedSignIns {
  private recorded = 0;
  private windowEndsAt = -Infinity;

  constructor(private readonly db: Db) {}

  async record({ secret, address, requestId }: FailedSignIn, now: number): Promise<void> {
    if (!this.hasRoom(now)) return;
    const key = await keyOfSecret(this.db, secret);
    await recordAudit(this.db, {
      organizationId: key?.organizationId ?? null,
      actor: { kind: 'visitor', id: 'unknown', requestId, address },
      action: 'console.sign_in_failed',
      subjectId: key?.id ?? 'unknown',
      now,
    });
  }

  private hasRoom(now: number): boolean {
    if (now >= this.windowEndsAt) {
      this.windowEndsAt = now + WINDOW_MS;
      this.recorded = 0;
    }
    this.recorded += 1;
    return this.recorded <= MAX_RECORDED_A_MINUTE;
  }
}
