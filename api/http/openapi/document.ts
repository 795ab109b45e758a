import type Joi from 'joi';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import type { Endpoint } from '../endpoint';
import { errorResponses } from './error-responses';
import { restrictToStorable, jsonSchemaOf, type Components } from './json-schema';
import { COMMON_FIELDS, WEBHOOK_EVENTS } from '../../../domain/webhook-events';
import { object, type Field } from '../schema/field';
import { constant } from '../schema/kinds';
import { fieldsOf } from '../schema/shape';

/** Same as in package.json; `npm run release` compares them. */
const VERSION = '0.1.0';

const TAGS = {
  Agents: 'Configurable voice agents',
  Calls: 'Dispatch calls and read their results',
  Campaigns: 'Dial the contacts of a file within a daily window',
  Rules: 'Decide by rules whether a number may be called',
  Webhooks: 'Deliveries to your webhook URLs, and signing secrets',
  Account: 'Limits, API keys, do-not-disturb list and audit log of the organization',
  Console: 'Sessions of the operations console',
};

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Identifies the organization. A key that is restricted to scopes needs the scope named here',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'console_session',
    description:
      'A console session, in place of the API key that opened it. Requests that change something also need its token as `X-CSRF-Token`',
  },
  signature: {
    type: 'apiKey',
    in: 'query',
    name: 'signature',
    description: 'Part of a signed URL from a response, together with `expires`. Valid for 24 hours',
  },
};

/** Builds the OpenAPI 3.1 document from the endpoints. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { publicUrl }: { publicUrl: string },
): JsonObject {
  const components: Components = {};
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    if (endpoint.hidden === true) continue;
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(endpoint, components) };
  }
  const webhooks = webhooksOf(components);
  const used = new Set(endpoints.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Voice agent platform',
      version: VERSION,
      description:
        'Agents, calls, campaigns, call history and webhooks. Unknown fields of bodies are ignored; those of agent sections are stored. Timestamps are UTC. The trailing slash of a path is optional.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // The docs page may be open under another host name, and its browser may only send requests to that host.
    servers: [{ url: '/', description: 'The host that served this document' }, { url: publicUrl }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name as Endpoint['tag']))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: { schemas: sorted(components), securitySchemes: SECURITY_SCHEMES },
  };
}

function operationOf(endpoint: Endpoint, components: Components): JsonObject {
  const { input = {} } = endpoint;
  const parameters = [
    ...parametersOf('path', input.params, components),
    ...parametersOf('query', input.query, components),
    ...parametersOf('header', input.headers, components),
  ];
  return {
    operationId: operationId(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(input.body === undefined ? {} : { requestBody: requestBodyOf(input.body, components) }),
    responses: {
      [endpoint.answer.status]: successOf(endpoint.answer, components),
      ...partOf(endpoint.answer, components),
      ...errorResponses(endpoint, components),
    },
  };
}

/** OpenAPI documents a public endpoint with one empty requirement. */
function securityOf({ security, scope }: Endpoint): JsonObject[] {
  const scopes = scope === null ? [] : [scope];
  const ways = security.map((scheme) => ({ [scheme]: scheme === 'signature' ? [] : scopes }));
  return ways.length === 0 ? [{}] : ways;
}

function operationId({ method, path }: Endpoint): string {
  const words = path.replace(/^\/api\//, '').split(/[^A-Za-z0-9]+/);
  const [first = '', ...rest] = [method, ...words.filter((word) => word !== '')];
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  schema: Joi.Schema | undefined,
  components: Components,
): JsonObject[] {
  if (schema === undefined) return [];
  const { properties, required } = jsonSchemaOf(schema, components);
  const names = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => {
    const { description, ...rest } = isJsonObject(property) ? property : {};
    if (place === 'query') restrictToStorable(rest, 'json', components);
    return {
      name,
      in: place,
      required: place === 'path' || names.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function requestBodyOf(
  { content, examples, encoding }: NonNullable<NonNullable<Endpoint['input']>['body']>,
  components: Components,
): JsonObject {
  const hasExamples = Object.keys(examples).length > 0;
  const media = Object.entries(content).map(([type, schema]) => [
    type,
    {
      schema: inputSchema(schema, type, components),
      ...(hasExamples ? { examples } : {}),
      ...(encoding === undefined || !type.startsWith('multipart') ? {} : { encoding }),
    },
  ]);
  return { required: true, content: Object.fromEntries(media) as JsonObject };
}

/** Removes `additionalProperties: false`, because unknown fields of a body are ignored instead of rejected. */
function inputSchema(schema: Joi.Schema, type: string, components: Components): JsonObject {
  const made = jsonSchemaOf(schema, components);
  const parts = Array.isArray(made.anyOf) ? (made.anyOf as unknown[]).filter(isJsonObject) : [made];
  for (const part of parts) {
    const name = typeof part.$ref === 'string' ? part.$ref.split('/').at(-1) : undefined;
    const target = name === undefined ? part : components[name];
    if (target !== undefined) delete target.additionalProperties;
  }
  restrictToStorable(made, type.endsWith('json') ? 'json' : 'form', components);
  return made;
}

function successOf(
  { description, content, example }: Endpoint['answer'],
  components: Components,
): JsonObject {
  const media = Object.entries(content).map(([type, schema], index) => [
    type,
    {
      schema: schema === null ? { type: 'string' } : jsonSchemaOf(schema, components),
      ...(index === 0 && example !== undefined ? { example } : {}),
    },
  ]);
  return { description, content: Object.fromEntries(media) as JsonObject };
}

function partOf({ part, ...answer }: Endpoint['answer'], components: Components): JsonObject {
  return part === undefined ? {} : { 206: successOf({ ...answer, description: part }, components) };
}

function sorted(components: Components): Components {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

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

function webhooksOf(components: Components): JsonObject {
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

interface WebhookEvent {
  name: string;
  summary: string;
  body: Field<unknown>;
}

/** Built from the table of events. */
export const webhookEvents: readonly WebhookEvent[] = Object.entries(WEBHOOK_EVENTS).map(
  ([name, { when, to, fields }]) => ({
    name,
    summary: `${when}, to ${to}`,
    body: object({ event: constant(name), ...fieldsOf({ ...COMMON_FIELDS, ...fields }) }),
  }),
);
