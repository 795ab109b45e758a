import Router from '@koa/router';
import type { Db } from '../../db/kernel/connection';
import { withTimeout } from '../../runtime/network/time-limit';
import type { ApiState } from './endpoint/context';
import { isReadOnly, sharedCheck } from './health-checks';

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
  const look = sharedCheck(
    () => Promise.allSettled([assertWritable(db), withTimeout(TEMPORAL_WAIT_MS, temporal.check())]),
    { keptMs: readinessKeptMs },
  );

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const [carrierEvents, temporalServer] = await look();
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
