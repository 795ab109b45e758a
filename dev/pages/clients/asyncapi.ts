/** Generates the AsyncAPI document of webhooks, live captions and the custom-LLM socket, from the tables that also define their types. */
import { CAPTIONS_PATH } from '../../../api/calls/live-captions/url';
import { CAPTION_FRAMES } from '../../../api/calls/live-captions/frames';
import { webhookEvents, WEBHOOK_HEADERS } from '../../../api/http/openapi/document';
import { CUSTOM_LLM_MESSAGES } from '../../../domain/custom-llm-messages';
import type { JsonObject } from '../../../domain/json';
import { WEBHOOK_EVENTS } from '../../../domain/webhook-events';
import {
  apiDocument,
  captionSchemas,
  customLlmSchema,
  customLlmSchemas,
  eventSchemas,
  pascal,
} from './document';

const DEFAULT_TYPE = 'application/json';

interface Message {
  name: string;
  summary: string;
  schema: string;
}

const EVENTS: readonly Message[] = webhookEvents.map(({ name, summary }) => ({
  name,
  summary,
  schema: `${pascal(name)}Event`,
}));

const FRAMES: readonly Message[] = Object.entries(CAPTION_FRAMES).map(([name, { when }]) => ({
  name,
  summary: when,
  schema: `${pascal(name)}Frame`,
}));

const LLM_MESSAGES = Object.entries(CUSTOM_LLM_MESSAGES).map(([name, { when, from }]) => ({
  name,
  summary: when,
  schema: customLlmSchema(name),
  from: from as readonly ('platform' | 'server')[],
}));

export function asyncApiDocument(): JsonObject {
  const { version } = apiDocument().info as JsonObject;
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Voice agent platform: webhooks, live captions and custom LLMs',
      version,
      description:
        'Messages that the platform sends, and those that a custom-LLM server sends to it. The REST API is described in the OpenAPI document, /api/openapi.json.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: DEFAULT_TYPE,
    servers: SERVERS,
    channels: {
      campaignWebhook: webhookChannel('campaign_webhook_url'),
      callWebhook: webhookChannel('per_call_webhook_url'),
      liveCaptions: captionsChannel(),
      customLlm: customLlmChannel(),
    },
    operations: {
      sendCampaignEvent: send(
        'campaignWebhook',
        'Posts an event of a campaign; a 2xx within 5 seconds accepts it',
      ),
      sendCallEvent: send('callWebhook', 'Posts an event of a call; a 2xx within 5 seconds accepts it'),
      sendCaptions: send('liveCaptions', 'Sends frames until the call is over'),
      sendTurns: {
        ...send('customLlm', 'Requests each answer from the server'),
        ...llmMessagesFrom('platform'),
      },
      receiveAnswers: {
        action: 'receive',
        channel: { $ref: '#/channels/customLlm' },
        summary: 'Speaks what the server answers',
        ...llmMessagesFrom('server'),
      },
    },
    components: {
      messages: {
        ...Object.fromEntries(
          EVENTS.map((event) => [event.schema, { ...messageOf(event), headers: HEADERS }]),
        ),
        ...Object.fromEntries(
          [...FRAMES, ...LLM_MESSAGES].map((message) => [message.schema, messageOf(message)]),
        ),
      },
      schemas: { ...eventSchemas(), ...captionSchemas(), ...customLlmSchemas() },
    },
  };
}

const SERVERS: JsonObject = {
  platform: {
    host: '{host}',
    protocol: 'wss',
    description: 'The PUBLIC_URL of the deployment, for live captions; ws without TLS',
    variables: { host: { description: 'Host and port', default: 'localhost:8080' } },
  },
  customLlm: {
    host: '{host}',
    pathname: '/{path}',
    protocol: 'wss',
    description: "The url of an agent's custom LLM; the platform connects to it",
    variables: {
      host: { description: 'Host and port', default: 'llm.example.com' },
      path: { description: 'Path on the host', default: 'calls' },
    },
    security: [{ type: 'http', scheme: 'bearer', description: 'The auth_token, if one is set' }],
  },
};

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

const webhookChannel = (field: 'campaign_webhook_url' | 'per_call_webhook_url'): JsonObject => ({
  address: null,
  title: field,
  description: `The ${field} of a campaign. Events arrive at least once and in any order: ignore an event_id you have already processed`,
  messages: messagesOf(
    EVENTS.filter(({ name }) => WEBHOOK_EVENTS[name as keyof typeof WEBHOOK_EVENTS].to === field),
  ),
  bindings: { http: {} },
});

const captionsChannel = (): JsonObject => ({
  address: `${CAPTIONS_PATH}{token}/{call_id}`,
  title: 'Live captions',
  description: 'The live_captions_url of a dispatch, for 24 hours',
  servers: [{ $ref: '#/servers/platform' }],
  parameters: {
    token: { description: 'Grants access to this call only' },
    call_id: { description: 'Identifier of the call' },
  },
  messages: messagesOf(FRAMES),
  bindings: {
    ws: {
      method: 'GET',
      query: {
        type: 'object',
        properties: {
          after: {
            type: 'integer',
            minimum: 0,
            description: 'The last seq that you have received; the history continues after it',
          },
        },
      },
    },
  },
});

const customLlmChannel = (): JsonObject => ({
  address: '/{call_id}',
  title: 'Custom LLM',
  description: 'One connection for each call, from before the greeting until its end',
  servers: [{ $ref: '#/servers/customLlm' }],
  parameters: { call_id: { description: 'Identifier of the call' } },
  messages: messagesOf(LLM_MESSAGES),
  bindings: { ws: { method: 'GET' } },
});

const llmMessagesFrom = (side: 'platform' | 'server'): JsonObject => ({
  messages: LLM_MESSAGES.filter(({ from }) => from.includes(side)).map(({ schema }) => ({
    $ref: `#/channels/customLlm/messages/${schema}`,
  })),
});

const send = (channel: string, summary: string): JsonObject => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  summary,
});
