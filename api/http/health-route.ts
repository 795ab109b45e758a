import Router from '@koa/router';
import type { Db } from '../../db/kernel/connection';
import type { ApiState } from './endpoint/context';
import { isReadOnly, sharedLook, withinTime } from './health-checks';

/** A probe is answered soon although Temporal says nothing at all: balancers wait a second or two. */
const TEMPORAL_WAIT_MS = 500;

/**
 * `/healthz`: the process answers. `/readyz`, for balancers: the API can record what carriers report, which nobody else does. Without
 * Temporal it goes on doing so, and hands lines over; its body says of each what it needs whether it answers.
 */
export function healthRoutes(
  { db, temporal }: { db: Db; temporal: { check(): Promise<void> } },
  readinessKeptMs: number,
): Router<ApiState> {
  const router = new Router<ApiState>();
  // Anybody may ask, so what they ask must not cost a query each.
  const look = sharedLook(
    () => Promise.allSettled([assertWritable(db), withinTime(() => temporal.check(), TEMPORAL_WAIT_MS)]),
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
      detail: { code: 'SERVICE_UNAVAILABLE', message: 'carrier events cannot be recorded: Postgres is away' },
    };
  });

  return router;
}

async function assertWritable(db: Db): Promise<void> {
  if (await isReadOnly(db)) throw new Error('the database is read-only');
}

const standingOf = (result: PromiseSettledResult<unknown>): 'ok' | 'away' =>
  result.status === 'fulfilled' ? 'ok' : 'away';
