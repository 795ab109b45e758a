import { setTimeout as delay } from 'node:timers/promises';
import Router from '@koa/router';
import type { Db } from '../../db/kernel/connection';
import { onlyRow } from '../../db/kernel/query';
import type { ApiState } from './endpoint/context';

/** A probe is answered soon although Temporal says nothing at all: balancers wait a second or two. */
const TEMPORAL_WAIT_MS = 500;

/**
 * `/healthz`: the process answers. `/readyz`, for balancers: the API can record what carriers report, which nobody else does. Without
 * Temporal it goes on doing so, and hands lines over; its body says of each what it needs whether it answers.
 */
export function healthRoutes({
  db,
  temporal,
}: {
  db: Db;
  temporal: { check(): Promise<void> };
}): Router<ApiState> {
  const router = new Router<ApiState>();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const [carrierEvents, temporalServer] = await Promise.allSettled([
      assertWritable(db),
      withinTime(temporal.check(), TEMPORAL_WAIT_MS),
    ]);
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

/** A standby answers questions and records nothing. */
async function assertWritable(db: Db): Promise<void> {
  const { isReadOnly } = await onlyRow<{ isReadOnly: boolean }>(
    db,
    `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (isReadOnly) throw new Error('the database is read-only');
}

async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error('no answer in time');
  });
  try {
    await Promise.race([work, late]);
  } finally {
    timeout.abort();
    late.catch(() => undefined);
  }
}

const standingOf = (result: PromiseSettledResult<unknown>): 'ok' | 'away' =>
  result.status === 'fulfilled' ? 'ok' : 'away';
