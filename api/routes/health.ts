import Router from '@koa/router';
import type { ApiDependencies } from '../dependencies';
import { rows } from '../../db/query';
import type { ApiState } from '../endpoint/context';

/** `/healthz`: the process answers. `/readyz`: so do the two that it cannot work without. */
export function healthRoutes({ db, temporal }: Pick<ApiDependencies, 'db' | 'temporal'>): Router<ApiState> {
  const router = new Router<ApiState>();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const [postgres, temporalServer] = await Promise.allSettled([rows(db, 'select 1'), temporal.check()]);
    const standing = { postgres: standingOf(postgres), temporal: standingOf(temporalServer) };
    const away = Object.entries(standing).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
    if (away.length === 0) {
      ctx.body = { status: 'ready', ...standing };
      return;
    }
    ctx.status = 503;
    ctx.body = {
      status: 'not ready',
      ...standing,
      detail: { code: 'SERVICE_UNAVAILABLE', message: `not answering: ${away.join(', ')}` },
    };
  });

  return router;
}

const standingOf = (result: PromiseSettledResult<unknown>): 'ok' | 'away' =>
  result.status === 'fulfilled' ? 'ok' : 'away';
