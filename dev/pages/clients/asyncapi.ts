/** The AsyncAPI document: what the platform sends by itself, webhooks and live captions, from the tables that both are made from. */
import { CAPTIONS_PATH } from '../../../api/calls/captions-url';
import { CAPTION_FRAMES } from '../../../api/calls/live-captions/frame-shapes';
import { webhookEvents } from '../../../api/http/openapi/webhook-events';
import { WEBHOOK_HEADERS } from '../../../api/http/openapi/webhooks';
import type { JsonObject } from '../../../workflows/domain/json';
import { WEBHOOK_EVENTS } from '../../../workflows/domain/webhook-events';
import { apiDocument, captionSchemas, eventSchemas, pascal } from './document';

const DEFAULT_TYPE = 'application/json';

export function asyncApiDocument(): JsonObject {
  const { version } = apiDocument().info as JsonObject;
  const events = webhookEvents.map(({ name, summary }) => ({
    name,
    summary,
    schema: `${pascal(name)}Event`,
  }));
  const frames = Object.entries(CAPTION_FRAMES).map(([name, { when }]) => ({
    name,
    summary: when,
    schema: `${pascal(name)}Frame`,
  }));
  const to = (address: string) =>
    events.filter(({ name }) => WEBHOOK_EVENTS[name as keyof typeof WEBHOOK_EVENTS].to === address);
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Voice agent platform: webhooks and live captions',
      version,
      description: 'What the platform sends. What it is asked is in its OpenAPI document, /api/openapi.json.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: DEFAULT_TYPE,
    servers: {
      platform: {
        host: '{host}',
        protocol: 'wss',
        description: 'The PUBLIC_URL of the deployment, of live captions; ws without TLS',
        variables: { host: { description: 'Host and port', default: 'localhost:8080' } },
      },
    },
    channels: {
      campaignWebhook: webhookChannel('campaign_webhook_url', to('campaign_webhook_url')),
      callWebhook: webhookChannel('per_call_webhook_url', to('per_call_webhook_url')),
      liveCaptions: captionsChannel(frames),
    },
    operations: {
      sendCampaignEvent: send(
        'campaignWebhook',
        'Posts an event of a campaign; a 2xx within 5 seconds accepts it',
      ),
      sendCallEvent: send('callWebhook', 'Posts an event of a call; a 2xx within 5 seconds accepts it'),
      sendCaptions: send('liveCaptions', 'Sends frames until the call is over'),
    },
    components: {
      messages: {
        ...Object.fromEntries(
          events.map((event) => [event.schema, { ...messageOf(event), headers: HEADERS }]),
        ),
        ...Object.fromEntries(frames.map((frame) => [frame.schema, messageOf(frame)])),
      },
      schemas: { ...eventSchemas(), ...captionSchemas() },
    },
  };
}

interface Message {
  name: string;
  summary: string;
  schema: string;
}

const HEADERS: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(WEBHOOK_HEADERS).map(([name, description]) => [name, { type: 'string', description }]),
  ),
};

const messageOf = ({ name, summary, schema }: Message): JsonObject => ({
  name,
  summary,
  contentType: DEFAULT_TYPE,
  payload: { $ref: `#/components/schemas/${schema}` },
});

const messagesOf = (messages: readonly Message[]): JsonObject =>
  Object.fromEntries(messages.map(({ schema }) => [schema, { $ref: `#/components/messages/${schema}` }]));

const webhookChannel = (field: string, events: readonly Message[]): JsonObject => ({
  address: null,
  title: field,
  description: `The ${field} of a campaign. At least once, in any order: drop each event_id that was seen`,
  messages: messagesOf(events),
  bindings: { http: {} },
});

const captionsChannel = (frames: readonly Message[]): JsonObject => ({
  address: `${CAPTIONS_PATH}{token}/{call_id}`,
  title: 'Live captions',
  description: 'The live_captions_url of a dispatch, for 24 hours',
  servers: [{ $ref: '#/servers/platform' }],
  parameters: {
    token: { description: 'Opens this one call' },
    call_id: { description: 'Identifier of the call' },
  },
  messages: messagesOf(frames),
  bindings: {
    ws: {
      method: 'GET',
      query: {
        type: 'object',
        properties: {
          after: {
            type: 'integer',
            minimum: 0,
            description: 'The last seq that is known: the history after it',
          },
        },
      },
    },
  },
});

const send = (channel: string, summary: string): JsonObject => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  summary,
});
