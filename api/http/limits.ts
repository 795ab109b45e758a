import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db, Admit } from '../../db/kernel/connection';
import { rateLimited, shareTaken, quotaExceeded } from './errors/refusals';
import { Shares, type Release } from '../../runtime/shares';
import { concernNow } from './log';
import { exceededQuota } from '../../db/organizations/quotas';
import type { Organization } from '../../db/organizations/organizations';
import type { QuotaName, Quotas } from '../../domain/quotas';

export type RateKind = 'dispatch' | 'other';

/** Requests per minute of one organization; 0 means unlimited. A dispatch isn't counted in `otherPerMinute`. */
interface RateLimitSettings {
  dispatchPerMinute: number;
  otherPerMinute: number;
}

export interface LimitedOrganization {
  id: string;
  /** Overrides for this organization; null uses the setting. */
  rateLimits?: { dispatchPerMinute: number | null; otherPerMinute: number | null };
}

/** Returns the organization's limits, or the configured ones where it has none. */
export function limitsOf(organization: LimitedOrganization, settings: RateLimitSettings): RateLimitSettings {
  const { dispatchPerMinute = null, otherPerMinute = null } = organization.rateLimits ?? {};
  return {
    dispatchPerMinute: dispatchPerMinute ?? settings.dispatchPerMinute,
    otherPerMinute: otherPerMinute ?? settings.otherPerMinute,
  };
}

const TABLE = 'rate_limit_windows';
const WINDOW_S = 60;

export interface RateLimits {
  /**
   * Counts the request and returns the rate limit headers, or none if the organization is unlimited. Rejected requests aren't counted. If
   * Postgres is down, throws the database error.
   * @throws ApiError `RATE_LIMITED` once the limit is reached, until the window ends
   */
  admit(organization: LimitedOrganization, kind: RateKind): Promise<Record<string, string>>;
}

/**
 * A window starts with an organization's first request and lasts a minute. All API processes share one row with the count, which a single
 * statement updates. Once a process has seen the limit reached, it rejects requests without a query until the window ends, so that a busy
 * client doesn't load Postgres.
 */
export function rateLimits({ db, settings }: { db: Db; settings: RateLimitSettings }): RateLimits {
  // Each limit in use has its own limiter, because the library blocks in memory per limiter. A changed limit therefore applies immediately.
  const limiters = new Map<string, RateLimiterPostgres>();

  const limiterOf = (kind: RateKind, limit: number): RateLimiterPostgres => {
    const name = `${kind} ${limit}`;
    const known = limiters.get(name);
    if (known !== undefined) return known;
    const limiter = newLimiter(db, kind, limit);
    limiters.set(name, limiter);
    return limiter;
  };

  return {
    async admit(organization, kind) {
      const { dispatchPerMinute, otherPerMinute } = limitsOf(organization, settings);
      const limit = kind === 'dispatch' ? dispatchPerMinute : otherPerMinute;
      if (limit === 0) return {};
      try {
        return headersOf(limit, await limiterOf(kind, limit).consume(organization.id));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw rateLimited(secondsLeft(error), headersOf(limit, error));
      }
    },
  };
}

function newLimiter(db: Db, kind: RateKind, limit: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: db,
    storeType: 'knex',
    tableName: TABLE,
    tableCreated: true,
    keyPrefix: kind,
    points: limit,
    duration: WINDOW_S,
    inMemoryBlockOnConsumed: limit,
    // The next window reuses the rows. There are two per organization, so nothing needs to be cleaned up.
    clearExpiredByTimeout: false,
  });
}

/** The headers of the IETF draft. The reset time is relative, so clocks needn't agree. */
function headersOf(limit: number, standing: RateLimiterRes): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(standing.remainingPoints),
    'RateLimit-Reset': String(secondsLeft(standing)),
  };
}

const secondsLeft = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

interface RequestSlotLimits {
  /** Maximum number of requests of one organization that are handled at once. */
  perOwner: number;
  /** A request that takes longer is waiting for the client, Temporal or a share, so it continues without its slot. */
  maxMs: number;
}

const LIMITS: RequestSlotLimits = { perOwner: 2, maxMs: 250 };
const MAX_WAITING_REQUESTS = 4_000;
const SLOT_WAIT_MS = 8_000;

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
      waiting: MAX_WAITING_REQUESTS,
      waitMs: SLOT_WAIT_MS,
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

/** Returns the organization's quotas, or the configured ones where it has none. */
export const quotasOf = ({ quotas }: Pick<Organization, 'quotas'>, settings: Quotas): Quotas => ({
  ...settings,
  ...quotas,
});

/**
 * Concurrent requests may together exceed a quota, because there is no lock.
 * @throws ApiError 409 if an addition exceeds a quota
 */
export async function assertRoom(
  { db, settings }: { db: Db; settings: { quotas: Quotas } },
  organization: Pick<Organization, 'id' | 'quotas'>,
  adding: Readonly<Partial<Record<QuotaName, number>>>,
): Promise<void> {
  const quotas = quotasOf(organization, settings.quotas);
  const exceeded = await exceededQuota(db, organization.id, { quotas, adding });
  if (exceeded !== undefined) throw quotaExceeded(exceeded, quotas[exceeded]);
}

/** Returns the size of a value when stored as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Same as the time that a statement may wait for a connection. */
const CONNECTION_WAIT_MS = 2_500;
const MAX_WAITING_QUERIES = 400;

/**
 * Limits the database connections of the current request's organization. A fifth of the pool stays reserved for key lookups, carrier events
 * and health checks, so that they never queue behind organizations.
 */
export function connectionShares(poolSize: number): Admit {
  const shares = new Shares({
    max: Math.max(1, poolSize - Math.ceil(poolSize / 5)),
    maxPerOwner: Math.max(1, Math.floor(poolSize / 2)),
    waiting: MAX_WAITING_QUERIES,
    waitMs: CONNECTION_WAIT_MS,
  });
  return (): Promise<Release | null> => {
    const organization = concernNow().organization_id;
    return organization === undefined ? Promise.resolve(nothing) : shares.enter(organization);
  };
}

const nothing: Release = () => undefined;
