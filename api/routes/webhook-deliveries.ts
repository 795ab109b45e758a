import Router from '@koa/router';
import Joi from 'joi';
import { countDeliveries, listDeliveries } from '../../db/delivery-list';
import { pageOf, paging, uuid, type Paging } from '../input/fields';
import { queryOf } from '../input/query';
import { endpoint, type ApiState } from '../pipeline';
import { presentDelivery } from '../presenters/delivery';
import { pagination } from '../presenters/pagination';
import type { RouteTools } from './route-tools';

interface DeliveriesQuery extends Paging {
  campaign_id?: string;
  call_id?: string;
  status?: string;
}

const DELIVERIES_QUERY = Joi.object<DeliveriesQuery>({
  ...paging({ default: 50, most: 200 }),
  campaign_id: uuid(),
  call_id: Joi.string().max(128),
  status: Joi.string().valid('pending', 'delivered', 'failed'),
});

export function webhookDeliveryRoutes({ deps: { db }, authenticate }: RouteTools): Router<ApiState> {
  const router = new Router<ApiState>();
  router.get(
    '/api/webhook-deliveries',
    endpoint({
      authenticate,
      validate: (ctx) => queryOf(ctx, DELIVERIES_QUERY),
      handle: async (query, client) => {
        const { campaign_id: campaignId, call_id: callId, status } = query;
        const filter = { clientId: client.id, campaignId, callId, status };
        const [deliveries, total] = await Promise.all([
          listDeliveries(db, filter, pageOf(query)),
          countDeliveries(db, filter),
        ]);
        return { deliveries, total, query };
      },
      present: ({ deliveries, total, query }) => ({
        data: deliveries.map(presentDelivery),
        pagination: pagination(query, total),
      }),
    }),
  );
  return router;
}
