import type { JsonObject } from '../../../domain/json';
import { webhookEvents } from './webhook-events';
import { jsonSchemaOf, type Components } from './json-schema';

export const WEBHOOK_HEADERS: Readonly<Record<string, string>> = {
  'X-Service-Signature': 'sha256=<hex>: HMAC-SHA256 with the signing secret over <timestamp>.<raw body>',
  'X-Service-Timestamp':
    'Unix seconds. Reject a request if this differs from your clock by more than 300 seconds',
  'X-Service-Event-Id': '`event_id` of the body',
  'X-Service-Delivery-Attempt': 'Number of the attempt, starting at 1',
  'webhook-id': 'Event id, as defined by Standard Webhooks',
  'webhook-timestamp': 'Unix seconds, as defined by Standard Webhooks',
  'webhook-signature': '`v1,<base64>` for each valid secret, as defined by Standard Webhooks',
};

export function webhooksOf(components: Components): JsonObject {
  const entries = webhookEvents.map(({ name: event, summary, body }) => [
    event,
    {
      post: {
        operationId: event.replace(/\W(\w)/g, (_match, letter: string) => letter.toUpperCase()),
        tags: ['Webhooks'],
        summary,
        description:
          'Respond with 2xx within 5 seconds. Any other response is retried after 5, 25, 125 and 625 seconds. The same event can arrive more than once.',
        parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
          name,
          in: 'header',
          required: false,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: jsonSchemaOf(body, components) } },
        },
        responses: { '2XX': { description: 'The webhook was received' } },
      },
    },
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
