import { listDeliveries } from '../../db/delivery-list';
import { answers, byKey, endpoint, type Endpoint } from '../endpoint';
import { deliveryNotFound } from '../errors/refusals';
import { pageOf, paging, uuid } from '../input/fields';
import { uuidParam } from '../input/path';
import { presentDelivery } from '../presenters/delivery';
import { pagination } from '../presenters/pagination';
import { done } from '../resources/agent';
import { delivery, DELIVERY_STATUSES } from '../resources/delivery';
import { pagination as paginationSchema } from '../resources/pagination';
import { about, list, object, optional } from '../schema/field';
import { nonEmptyText, oneOf } from '../schema/kinds';
import { redeliverWebhook } from '../webhooks/redeliver';
import type { RouteTools } from './route-tools';

const DELIVERIES_QUERY = object({
  ...paging({ default: 50, most: 200 }),
  campaign_id: about(optional(uuid()), 'Events of this campaign and its calls'),
  call_id: about(optional(nonEmptyText(128)), 'Events of this call'),
  status: optional(oneOf(...DELIVERY_STATUSES)),
});

export const webhookDeliveryEndpoints = (tools: RouteTools): Endpoint[] => [
  listing(tools),
  redelivering(tools),
];

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/webhook-deliveries',
    tag: 'Webhooks',
    summary: 'List webhook deliveries with every attempt, the newest first',
    access: byKey,
    input: { query: DELIVERIES_QUERY },
    answer: answers(
      'A page of deliveries',
      object({ data: list(delivery), pagination: paginationSchema }, { name: 'DeliveryPage' }),
    ),
    handle: ({ query }, client) => {
      const { campaign_id: campaignId, call_id: callId, status } = query;
      return listDeliveries(db, { clientId: client.id, campaignId, callId, status }, pageOf(query));
    },
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map(presentDelivery),
      pagination: pagination(query, total),
    }),
  });

const redelivering = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/webhook-deliveries/:delivery_id/redeliver',
    tag: 'Webhooks',
    summary: 'Deliver an event again',
    description:
      'Another round of up to five attempts under the same event id. One whose attempts go on is left alone.',
    access: byKey,
    input: { params: uuidParam('delivery_id', 'Identifier of the delivery') },
    answer: answers('It is delivered again', done, { status: 202 }),
    refusals: [deliveryNotFound()],
    handle: ({ params }, client) =>
      redeliverWebhook(deps, { deliveryId: params.delivery_id, clientId: client.id, actor: client.actor }),
    present: () => ({ success: true }) as const,
  });
