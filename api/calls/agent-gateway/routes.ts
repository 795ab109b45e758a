/** What the agent's process requests and reports beside the events of its calls. It shows the carrier's secret instead of an API key. */
import Router from '@koa/router';
import { storedBrief } from '../../../db/calls/brief';
import { assertCarrier } from '../../http/auth/carrier-secret';
import type { ApiState } from '../../http/endpoint';
import { callNotFound, callOver, invalidInput } from '../../http/errors/refusals';
import { jsonBody } from '../../http/input/json-body';
import { knownCallId } from '../../http/input/path';
import { check } from '../../http/input/validate';
import { object } from '../../http/schema/field';
import { nonEmptyText } from '../../http/schema/kinds';
import { presentBrief } from './present-brief';
import { takeRecording, type RecordingDependencies } from './take-recording';
import { transferCall, type TransferDependencies } from './transfer-call';

const TRANSFER = object({ to: nonEmptyText(1_000) });

export interface AgentGatewayDependencies extends RecordingDependencies {
  settings: TransferDependencies['settings'] & {
    carrierSecret: string | null;
    ringTimeoutS: number;
    secretsKey: Buffer;
  };
}

export function agentGatewayRoutes(deps: AgentGatewayDependencies): Router<ApiState> {
  const { carrierSecret } = deps.settings;
  const router = new Router<ApiState>({ prefix: '/api/carrier/calls/:call_id', sensitive: true });

  router.get('/', async (ctx) => {
    assertCarrier(ctx, carrierSecret);
    const stored = await storedBrief(deps.db, knownCallId(ctx.params.call_id ?? ''));
    if (stored === undefined) throw callNotFound();
    if (stored.isOver) throw callOver();
    ctx.set('Cache-Control', 'no-store');
    ctx.body = presentBrief(stored, deps.settings);
  });

  router.put('/recording', async (ctx) => {
    assertCarrier(ctx, carrierSecret);
    await takeRecording(deps, ctx, knownCallId(ctx.params.call_id ?? ''));
    ctx.status = 204;
  });

  router.post('/transfer', async (ctx) => {
    assertCarrier(ctx, carrierSecret);
    const request = check(TRANSFER, await jsonBody(ctx, { mostValues: 10 }), 'body');
    if ('faults' in request) throw invalidInput(request.faults);
    ctx.body = await transferCall(deps, knownCallId(ctx.params.call_id ?? ''), request.value.to);
  });

  return router;
}
