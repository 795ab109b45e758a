import { Shares, type Release } from '../../../runtime/shares';
import { shareTaken } from '../errors/refusals';
import { concernNow } from '../log';

export interface RequestSlotLimits {
  /** Maximum number of requests of one organization that are handled at once. */
  perOwner: number;
  /** A request that takes longer is waiting for the client, Temporal or a share, so it continues without its slot. */
  maxMs: number;
}

const LIMITS: RequestSlotLimits = { perOwner: 2, maxMs: 250 };
const WAITING = 4_000;
const WAIT_MS = 8_000;

/**
 * Limits how many requests of one organization run at once. The requests of a process share one thread, so without slots one organization
 * could delay all others.
 */
export class RequestSlots {
  private readonly shares: Shares;

  constructor(private readonly limits: RequestSlotLimits = LIMITS) {
    this.shares = new Shares({
      max: Infinity,
      maxPerOwner: limits.perOwner,
      waiting: WAITING,
      waitMs: WAIT_MS,
    });
  }

  /** Waits for a slot. Requests without an organization need none. @throws ApiError 503 if too many requests wait or the wait takes too long */
  async enter(organization: string | undefined = concernNow().organization_id): Promise<Release> {
    if (organization === undefined) return () => undefined;
    const release = await this.shares.enter(organization);
    if (release === null) throw shareTaken();
    const timer = setTimeout(release, this.limits.maxMs);
    return () => {
      clearTimeout(timer);
      release();
    };
  }
}
