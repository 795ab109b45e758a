import Router from '@koa/router';
import type { Db } from '../../db/kernel/connection';
import { withTimeout } from '../../runtime/network/time-limit';
import type { ApiState } from './context';
import { onlyRow } from '../../db/kernel/query';

/** Load balancers wait only a second or two, so an unresponsive Temporal must not delay the response. */
const TEMPORAL_WAIT_MS = 500;

/**
 * `/healthz` shows that the process runs. `/readyz`, for load balancers, shows that it can record carrier events. It doesn't need Temporal,
 * because events are recorded and lines granted without it. The body shows the state of both.
 */
export function healthRoutes(
  { db, temporal }: { db: Db; temporal: { check(): Promise<void> } },
  readinessKeptMs: number,
): Router<ApiState> {
  const router = new Router<ApiState>();
  // The route is public, so requests share a result instead of running a query each.
  const check = sharedCheck(
    () => Promise.allSettled([assertWritable(db), withTimeout(TEMPORAL_WAIT_MS, temporal.check())]),
    { keptMs: readinessKeptMs },
  );

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const [carrierEvents, temporalServer] = await check();
    const standing = { carrier_events: standingOf(carrierEvents), temporal: standingOf(temporalServer) };
    if (standing.carrier_events === 'ok') {
      ctx.body = { status: 'ready', ...standing };
      return;
    }
    ctx.status = 503;
    ctx.body = {
      status: 'not ready',
      ...standing,
      detail: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'Carrier events cannot be recorded because Postgres is unavailable',
      },
    };
  });

  return router;
}

async function assertWritable(db: Db): Promise<void> {
  if (await isReadOnly(db)) throw new Error('the database is read-only');
}

const standingOf = (result: PromiseSettledResult<unknown>): 'ok' | 'unreachable' =>
  result.status === 'fulfilled' ? 'ok' : 'unreachable';

/** A standby answers queries but can't record anything. */
export async function isReadOnly(db: Db): Promise<boolean> {
  const { isReadOnly: answer } = await onlyRow<{ isReadOnly: boolean }>(
    db,
    `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  return answer;
}

interface SharedCheckOptions {
  /** How long a result is reused, counted from the start of the check. */
  keptMs: number;
  now?: () => number;
}

/** Returns the result of the check in progress, or the latest one while it is fresh, so that at most one check runs at a time. */
export function sharedCheck<Answer>(
  check: () => Promise<Answer>,
  { keptMs, now = () => performance.now() }: SharedCheckOptions,
): () => Promise<Answer> {
  let latest: { at: number; isOver: boolean; answer: Promise<Answer> } | null = null;
  return () => {
    const at = now();
    if (latest !== null && (!latest.isOver || Math.abs(at - latest.at) < keptMs)) return latest.answer;
    const started = { at, isOver: false, answer: check() };
    const over = (): void => {
      started.isOver = true;
    };
    started.answer.then(over, over);
    latest = started;
    return started.answer;
  };
}
