import Router from '@koa/router';
import Joi from 'joi';
import { countCalls, findCall, listCalls } from '../../db/call-history';
import { callNotFound, invalidInput } from '../errors/refusals';
import { instant, pageOf, paging, uuid, type Paging } from '../input/fields';
import { callIdParam } from '../input/path';
import { queryOf } from '../input/query';
import { endpoint, type ApiState } from '../pipeline';
import { presentCall } from '../presenters/call';
import { presentCallDetails } from '../presenters/call-details';
import { pagination } from '../presenters/pagination';
import type { RouteTools } from './route-tools';

interface HistoryQuery extends Paging {
  agent_id?: string;
  campaign_id?: string;
  status?: string;
  from?: string;
  to?: string;
}

const HISTORY_QUERY = Joi.object<HistoryQuery>({
  ...paging({ default: 50, most: 200 }),
  agent_id: uuid(),
  campaign_id: uuid(),
  status: Joi.string().max(64),
  from: instant(),
  to: instant(),
});

export function callRoutes({ deps, signer, authenticate }: RouteTools): Router<ApiState> {
  const { db } = deps;
  const router = new Router<ApiState>();

  router.get(
    '/api/call-history',
    endpoint({
      authenticate,
      validate: (ctx) => queryOf(ctx, HISTORY_QUERY),
      handle: async (query, client) => {
        const { agent_id: agentId, campaign_id: campaignId, status, from, to } = query;
        const filter = { clientId: client.id, agentId, campaignId, status, from, to };
        const [calls, total] = await Promise.all([
          listCalls(db, filter, pageOf(query)),
          countCalls(db, filter),
        ]);
        return { calls, total, query };
      },
      present: ({ calls, total, query }) => ({
        data: calls.map((call) => presentCall(call, signer)),
        pagination: pagination(query, total),
      }),
    }),
  );

  router.get(
    '/api/call_details',
    endpoint({
      authenticate,
      validate: () => {
        throw invalidInput([{ loc: ['path', 'call_id'], msg: 'is required', type: 'any.required' }]);
      },
      handle: () => Promise.resolve(null),
      present: () => null,
    }),
  );

  router.get(
    '/api/call_details/:call_id',
    endpoint({
      authenticate,
      validate: callIdParam,
      handle: async (callId, client) => {
        const call = await findCall(db, callId, client.id);
        if (call === undefined) throw callNotFound();
        return call;
      },
      present: presentCallDetails,
    }),
  );

  return router;
}
