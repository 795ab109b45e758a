import { deliveryPage, findDelivery } from '../../db/webhooks/deliveries';
import { MAX_REDELIVERIES } from '../../db/webhooks/redelivery';
import { DELIVERY_STATUSES, DONE_STATUSES } from '../../domain/delivery';
import type { RouteTools } from '../dependencies';
import { answers, answersInPieces, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import { instant, pageOf, paging, uuid, uuidParam } from '../http/input/fields';
import { pageStream, presentPagination, done, pagination } from '../http/responses';
import { integer, nonEmptyText, oneOf } from '../http/schema/kinds';
import { deliveryNotFound, invalidInput } from '../http/errors/refusals';
import { about, atLeastOneOf, defaulting, list, object, optional } from '../http/schema/field';
import { delivery, deliveryDetails, presentDelivery, presentDeliveryDetails, redelivered } from './present';
import { redeliverManyWebhooks, redeliverWebhook } from './redeliver';
import { webhookSecretEndpoints } from './secrets';

const DELIVERIES_QUERY = object({
  ...paging({ default: 50, max: 200 }),
  campaign_id: about(optional(uuid()), 'Events of this campaign and its calls'),
  call_id: about(optional(nonEmptyText(128)), 'Events of this call'),
  status: optional(oneOf(...DELIVERY_STATUSES)),
});

export const webhookEndpoints = (tools: RouteTools): Endpoint[] => [
  listing(tools),
  reading(tools),
  redeliveringMany(tools),
  redelivering(tools),
  ...webhookSecretEndpoints(tools),
];

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/webhook-deliveries',
    tag: 'Webhooks',
    summary: 'List webhook deliveries with all attempts, newest first',
    access: byKey,
    scope: 'read',
    input: { query: DELIVERIES_QUERY },
    answer: answersInPieces(
      'A page of deliveries',
      object({ data: list(delivery), pagination }, { name: 'DeliveryPage' }),
    ),
    handle: ({ query }, organization) => {
      const { campaign_id: campaignId, call_id: callId, status } = query;
      return deliveryPage(db, { organizationId: organization.id, campaignId, callId, status }, pageOf(query));
    },
    present: ({ batches, total }, { input: { query } }) =>
      pageStream(batches, presentDelivery, presentPagination(query, total)),
  });

const deliveryIdParam = uuidParam('delivery_id', 'Identifier of the delivery');

const reading = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/webhook-deliveries/:delivery_id',
    tag: 'Webhooks',
    summary: 'Get a webhook delivery with its body and all attempts',
    access: byKey,
    scope: 'read',
    input: { params: deliveryIdParam },
    answer: answers('The delivery', deliveryDetails),
    refusals: [deliveryNotFound()],
    handle: async ({ params }, organization) => {
      const found = await findDelivery(db, {
        deliveryId: params.delivery_id,
        organizationId: organization.id,
      });
      if (found === undefined) throw deliveryNotFound();
      return found;
    },
    present: presentDeliveryDetails,
  });

const REDELIVERY_FILTER = {
  campaign_id: about(optional(uuid()), 'Events of this campaign and its calls'),
  call_id: about(optional(nonEmptyText(128)), 'Events of this call'),
  status: about(optional(oneOf(...DONE_STATUSES)), 'Status of the deliveries. Default: `failed`'),
  from: about(optional(instant()), 'Events at or after this date or timestamp, in UTC'),
  to: about(optional(instant()), 'Events before this date or timestamp, in UTC'),
};

const REDELIVERY_BODY = json(
  atLeastOneOf(
    object(
      {
        ...REDELIVERY_FILTER,
        limit: about(
          defaulting(integer(1, MAX_REDELIVERIES), MAX_REDELIVERIES),
          'Maximum number of deliveries to redeliver',
        ),
      },
      { name: 'RedeliveryRequest', description: 'At least one field other than `limit` is required.' },
    ),
    Object.keys(REDELIVERY_FILTER),
  ),
  {
    examples: {
      outage: {
        summary: 'Everything that failed during an outage',
        value: { from: '2026-11-02T09:00:00Z', to: '2026-11-02T11:30:00Z' },
      },
      all: { summary: 'Up to 500 failed deliveries', value: { status: 'failed', limit: 500 } },
    },
  },
);

const redeliveringMany = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/webhook-deliveries/redeliver',
    tag: 'Webhooks',
    summary: 'Redeliver many events',
    description:
      'Starts another round of up to five attempts for each matching delivery, with the same event ids, oldest first, at ten per second.',
    access: byKey,
    scope: 'operate',
    input: { body: REDELIVERY_BODY },
    answer: answers('Number of deliveries', redelivered, { status: 202 }),
    handle: ({ body: { limit, ...fields } }, organization) => {
      const { campaign_id: campaignId, call_id: callId, status, from, to } = fields;
      // Require a filter, so that a mistake doesn't resend everything.
      if (Object.values(fields).every((value) => value === undefined)) throw invalidInput(NO_FILTER);
      const filter = {
        organizationId: organization.id,
        campaignId,
        callId,
        status: status ?? 'failed',
        from,
        to,
      };
      return redeliverManyWebhooks(deps, { filter, limit, actor: organization.actor });
    },
    present: (counts) => ({ redelivered: counts.redelivered, skipped: counts.skipped }),
  });

const NO_FILTER = [
  {
    loc: ['body'],
    msg: `must contain at least one of ${Object.keys(REDELIVERY_FILTER).join(', ')}`,
    type: 'object.missing',
  },
];

const redelivering = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/webhook-deliveries/:delivery_id/redeliver',
    tag: 'Webhooks',
    summary: 'Redeliver an event',
    description:
      'Starts another round of up to five attempts with the same event id. Has no effect while attempts are still pending.',
    access: byKey,
    scope: 'operate',
    input: { params: deliveryIdParam },
    answer: answers('The delivery is pending again', done, { status: 202 }),
    refusals: [deliveryNotFound()],
    handle: ({ params }, organization) =>
      redeliverWebhook(deps, {
        deliveryId: params.delivery_id,
        organizationId: organization.id,
        actor: organization.actor,
      }),
    present: () => ({ success: true }) as const,
  });
