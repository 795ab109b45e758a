/**
 * Builds the document that the clients are generated from: the API's OpenAPI document, created without a server, plus the schemas of
 * webhook events and caption frames.
 */
import { ORDINARY_TYPES } from '../../../domain/phone-number';
import { allEndpoints } from '../../../api/endpoints';
import { CAPTION_FRAMES } from '../../../api/calls/live-captions/frames';
import { openApiDocument, webhookEvents } from '../../../api/http/openapi/document';
import { jsonSchemaOf, type Components } from '../../../api/http/openapi/json-schema';
import { constant } from '../../../api/http/schema/kinds';
import { object } from '../../../api/http/schema/field';
import { fieldsOf } from '../../../api/http/schema/shape';
import { CUSTOM_LLM_MESSAGES } from '../../../domain/custom-llm-messages';
import { isJsonObject, type JsonObject } from '../../../domain/json';

interface ClientDocument {
  /** OpenAPI document with successful responses only, because the clients turn all others into errors. */
  document: JsonObject;
  requests: Readonly<Record<string, RequestTraits>>;
  /** All error codes that the API can return. */
  errorCodes: readonly string[];
}

/** Traits that a client must know to send a request. Traits that don't apply are absent. */
interface RequestTraits {
  /** The body is always a form. */
  form?: true;
  idempotencyKey?: true;
  /** The operation changes nothing, even if its method suggests otherwise. */
  reads?: true;
}

/** Stubs, because endpoints only use their dependencies when they run. */
const TOOLS = {
  deps: { settings: { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] } },
  signer: {},
} as never;

export const apiDocument = (): JsonObject => openApiDocument(allEndpoints(TOOLS), { publicUrl: '/' });

/** Returns event schemas by name, plus `WebhookEvent`, the union of all of them. */
export function eventSchemas(): Components {
  const components: Components = {};
  const names = webhookEvents.map(({ name, body }) => {
    const schema = `${pascal(name)}Event`;
    components[schema] = jsonSchemaOf(body, components);
    return schema;
  });
  components.WebhookEvent = anyOf(names);
  return components;
}

export function captionSchemas(): Components {
  const components: Components = {};
  const names = Object.entries(CAPTION_FRAMES).map(([type, { fields }]) => {
    const schema = `${pascal(type)}Frame`;
    components[schema] = jsonSchemaOf(object({ type: constant(type), ...fieldsOf(fields) }), components);
    return schema;
  });
  components.CaptionFrame = anyOf(names);
  return components;
}

/** Returns message schemas by name. */
export function customLlmSchemas(): Components {
  const components: Components = {};
  for (const [name, { namedBy, fields, from }] of Object.entries(CUSTOM_LLM_MESSAGES)) {
    const open = from.some((side) => side === 'server');
    const message = object({ [namedBy]: constant(name), ...fieldsOf(fields) }, { open });
    components[customLlmSchema(name)] = jsonSchemaOf(message, components);
  }
  return components;
}

export const customLlmSchema = (name: string): string => `CustomLlm${pascal(name)}`;

const anyOf = (names: readonly string[]): JsonObject => ({
  anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
});

/** `call.no_answer` becomes CallNoAnswer. */
export const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export function clientDocument(): ClientDocument {
  const { paths, components, webhooks: _webhooks, servers: _servers, ...rest } = apiDocument();
  const operations = operationsIn(paths);
  const schemas = { ...under(components, 'schemas'), ...eventSchemas(), ...captionSchemas() };
  return {
    document: plain({ ...rest, paths: successful(paths), components: { schemas } }) as JsonObject,
    requests: Object.fromEntries(
      operations
        .filter(({ method }) => method !== 'get')
        .map(({ method, path, operation }): [string, RequestTraits] => [
          `${method} ${path}`,
          traitsOf(operation),
        ])
        .filter(([, traits]) => Object.keys(traits).length > 0),
    ),
    errorCodes: [...new Set(operations.flatMap(({ operation }) => codesOf(operation)))].sort(),
  };
}

export interface PlacedOperation {
  method: string;
  path: string;
  operation: JsonObject;
}

export const operationsIn = (paths: unknown): PlacedOperation[] =>
  entriesOf(paths).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({ method, path, operation })),
  );

function traitsOf(operation: JsonObject): RequestTraits {
  const types = Object.keys(under(operation.requestBody, 'content'));
  const isForm = types.length > 0 && types.every((type) => type === 'multipart/form-data');
  const parameters = Array.isArray(operation.parameters) ? operation.parameters.filter(isJsonObject) : [];
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const reads = JSON.stringify(operation.security).includes('"apiKey":["read"]');
  return {
    ...(isForm && { form: true }),
    ...(takesKey && { idempotencyKey: true }),
    ...(reads && { reads: true }),
  };
}

/** Every error response has an example, named by its code. */
const codesOf = (operation: JsonObject): string[] =>
  entriesOf(operation.responses)
    .filter(([status]) => !isSuccess(status))
    .flatMap(([, { content }]) => Object.keys(under(under(content, 'application/json'), 'examples')));

function successful(paths: unknown): JsonObject {
  const kept: Record<string, JsonObject> = {};
  for (const { method, path, operation } of operationsIn(paths)) {
    const { security: _security, responses, ...rest } = operation;
    const good = entriesOf(responses).filter(([status]) => isSuccess(status));
    kept[path] = { ...kept[path], [method]: { ...rest, responses: Object.fromEntries(good) } };
  }
  return kept;
}

/** Removes constraints on keys and on unnamed text, because the types treat these values as any JSON. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const { prefixItems, ...list } = value;
  // Tuple types end after their prefix. The first entry is the one with the fewest fields.
  if (Array.isArray(prefixItems)) return plain({ ...list, items: prefixItems[0] as unknown });
  const { additionalProperties: others, ...rest } = value;
  const isDropped = others === undefined || (isJsonObject(others) && isJsonObject(rest.properties));
  const entries = Object.entries(isDropped ? rest : value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, key === 'Json' ? {} : plain(inner)]));
}

const isSuccess = (status: string): boolean => status.startsWith('2');

const entriesOf = (value: unknown): [string, JsonObject][] =>
  Object.entries(isJsonObject(value) ? value : {}).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );

const under = (value: unknown, key: string): JsonObject => {
  const inner = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(inner) ? inner : {};
};
