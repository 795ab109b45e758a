import { STATUS_CODES } from 'node:http';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import type { Endpoint } from '../endpoint';
import type { ApiError } from '../errors/api-error';
import { errorBody, type ErrorFamily } from '../errors/answer';
import { campaignError, dispatchError, error, validationError } from '../errors/schema';
import { jsonSchemaOf, type Components } from './json-schema';
import {
  bodyTooLarge,
  insufficientScope,
  internalError,
  invalidApiKey,
  invalidCsrfToken,
  invalidEncoding,
  invalidInput,
  invalidSession,
  invalidSignature,
  missingApiKey,
  rateLimited,
  serviceUnavailable,
  unsupportedMediaType,
} from '../errors/refusals';
import { MAX_BODY_BYTES } from '../input/text-body';

const AT = { path: '/api/campaigns/create', requestId: 'c0ffee00-0000-4000-8000-000000000000', now: 0 };

/** Builds the error responses of an endpoint by status, each with its possible codes. */
export function errorResponses(endpoint: Endpoint, components: Components): JsonObject {
  const byStatus = new Map<number, ApiError[]>();
  for (const refusal of [...commonRefusals(endpoint), ...(endpoint.refusals ?? [])]) {
    byStatus.set(refusal.status, [...(byStatus.get(refusal.status) ?? []), refusal]);
  }
  const family = endpoint.errors ?? 'detail';
  const responses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    responses.map(([status, refusals]) => [status, responseOf(family, refusals, components)]),
  );
}

function commonRefusals({ method, security, scope, input = {} }: Endpoint): ApiError[] {
  const refusals = [rateLimited(60, {})];
  if (security.includes('apiKey')) refusals.push(missingApiKey(), invalidApiKey());
  if (scope !== null) refusals.push(insufficientScope(scope));
  if (security.includes('session')) refusals.push(invalidSession());
  if (security.includes('session') && method !== 'get') refusals.push(invalidCsrfToken());
  if (security.includes('signature')) refusals.push(invalidSignature());
  if (input.body !== undefined) {
    refusals.push(
      invalidEncoding(),
      bodyTooLarge(MAX_BODY_BYTES),
      unsupportedMediaType(Object.keys(input.body.content).join(' or ')),
    );
  }
  if (input.params ?? input.query ?? input.headers ?? input.body) {
    refusals.push(invalidInput([{ loc: ['body', 'field'], msg: 'is required', type: 'any.required' }]));
  }
  return [...refusals, serviceUnavailable(), internalError(undefined)];
}

function responseOf(family: ErrorFamily, refusals: ApiError[], components: Components): JsonObject {
  const [first] = refusals;
  const codes = refusals.map(({ code, message }) => `\`${code}\`: ${message}.`);
  const examples = Object.fromEntries(
    refusals.map((refusal) => [refusal.code, { value: errorBody(family, refusal, AT) }]),
  );
  return {
    description: [STATUS_CODES[first?.status ?? 500] ?? 'Error', ...codes].join('\n\n'),
    headers: headersOf(refusals),
    content: { 'application/json': { schema: schemaOf(family, refusals, components), examples } },
  };
}

function headersOf(refusals: ApiError[]): JsonObject {
  const names = new Set(refusals.flatMap(({ headers }) => Object.keys(headers)));
  return Object.fromEntries(
    [...names].map((name) => [name, { schema: { type: 'string' }, description: HEADERS[name] ?? name }]),
  );
}

const HEADERS: Readonly<Record<string, string>> = {
  'Retry-After': 'Seconds to wait',
  'Content-Range': 'Size of the whole file',
};

function schemaOf(family: ErrorFamily, refusals: ApiError[], components: Components): JsonObject {
  if (family === 'envelope') return jsonSchemaOf(campaignError, components);
  if (family === 'dispatch') return jsonSchemaOf(dispatchError, components);
  const kinds = new Set(refusals.map(({ faults }) => (faults === undefined ? error : validationError)));
  const [only, ...more] = [...kinds].map((kind) => jsonSchemaOf(kind, components));
  if (only === undefined || !isJsonObject(only)) return {};
  return more.length === 0 ? only : { anyOf: [only, ...more] };
}
