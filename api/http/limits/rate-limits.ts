import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../../../db/kernel/connection';
import { rateLimited } from '../errors/refusals';
import { limitsOf, type LimitedOrganization, type RateKind, type RateLimitSettings } from './limits-of';

const TABLE = 'rate_limit_windows';
const WINDOW_S = 60;

export interface RateLimits {
  /**
   * Counts the request and returns the rate limit headers, or none if the organization is unlimited. Refused requests aren't counted. If
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
