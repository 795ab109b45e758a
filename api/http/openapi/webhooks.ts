import type { JsonObject } from '../../../domain/json';
import { webhookEvents } from './webhook-events';
import { jsonSchemaOf, type Components } from './json-schema';

export const WEBHOOK_HEADERS: Readonly<Record<string, string>> = {
  'X-Service-Signature': 'sha256=<hex>: HMAC-SHA256 with the signing secret over <timestamp>.<raw body>',
  'X-Service-Timestamp': 'Unix seconds; reject what is more than 300 seconds from your clock',
  'X-Service-Event-Id': 'event_id of the body',
  'X-Service-Delivery-Attempt': 'From 1',
  'webhook-id': 'As Standard Webhooks has it, like the two that follow',
  'webhook-timestamp': 'Unix seconds',
  'webhook-signature': 'v1,<base64>, one for each valid secret',
};

/** What clients receive, as the document's `webhooks`. */
export function webhooksOf(components: Components): JsonObject {
  const entries = webhookEvents.map(({ name: event, summary, body }) => [
    event,
    {
      post: {
        operationId: event.replace(/\W(\w)/g, (_match, letter: string) => letter.toUpperCase()),
        tags: ['Webhooks'],
        summary,
        description:
          'Answer 2xx within 5 seconds. Anything else is retried after 5, 25, 125 and 625 seconds; the same event may come more than once.',
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
        responses: { '2XX': { description: 'Taken' } },
      },
    },
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
