/** Bodies of the webhooks for the OpenAPI document, built from the table of events. */
import { COMMON_FIELDS, WEBHOOK_EVENTS } from '../../../domain/webhook-events';
import { object, type Field } from '../schema/field';
import { constant } from '../schema/kinds';
import { fieldsOf } from '../schema/shape';

export interface WebhookEvent {
  name: string;
  summary: string;
  body: Field<unknown>;
}

export const webhookEvents: readonly WebhookEvent[] = Object.entries(WEBHOOK_EVENTS).map(
  ([name, { when, to, fields }]) => ({
    name,
    summary: `${when}, to ${to}`,
    body: object({ event: constant(name), ...fieldsOf({ ...COMMON_FIELDS, ...fields }) }),
  }),
);
