import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../../../db/kernel/connection';
import { rateLimited } from '../errors/refusals';
import { limitsOf, type LimitedClient, type RateKind, type RateLimitSettings } from './limits-of';

const TABLE = 'rate_limit_windows';
const WINDOW_S = 60;

export interface RateLimits {
  /**
   * Counts the request, and returns the headers that show the client where it stands; none where it has no limit. Throws
   * `RATE_LIMITED` once the limit is reached, until the window ends; such a request counts for nothing. A Postgres that is away
   * is the database's error, so that no client is asked to slow down for it.
   */
  admit(client: LimitedClient, kind: RateKind): Promise<Record<string, string>>;
}

/**
 * A window begins with a client's first request and lasts a minute, by the clock of the process. The count is a row that all API
 * processes share: one statement a request. A process that has seen the limit reached refuses from memory until the window ends, so
 * that a client that hammers costs Postgres nothing.
 */
export function rateLimits({ db, settings }: { db: Db; settings: RateLimitSettings }): RateLimits {
  // One for each limit in use: the library keeps what is refused from memory by limiter, so a new limit holds at once.
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
    async admit(client, kind) {
      const { dispatchPerMinute, otherPerMinute } = limitsOf(client, settings);
      const limit = kind === 'dispatch' ? dispatchPerMinute : otherPerMinute;
      if (limit === 0) return {};
      try {
        return headersOf(limit, await limiterOf(kind, limit).consume(client.id));
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
    // A row is used again by the client's next window: there are two a client, and nothing to clear away.
    clearExpiredByTimeout: false,
  });
}

/** The fields of the IETF draft, whose reset is in seconds from now and so needs no clock that agrees with ours. */
function headersOf(limit: number, standing: RateLimiterRes): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(standing.remainingPoints),
    'RateLimit-Reset': String(secondsLeft(standing)),
  };
}

const secondsLeft = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));
