/** Reads `persona.actions`. Invalid items are ignored so that the rest of the agent works. */
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { ResolvedConfig, ResolvedSection } from '../../../domain/agent-config';
import { USES } from '../../../domain/agent-config/maxima';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import type { IgnoredSettings } from '../ignored-settings';
import {
  isReservedName,
  type Action,
  type HttpAction,
  type ParameterSchema,
  type ArgumentCheck,
} from './actions';
import { rounded } from './exact-numbers';
import { isUrlTemplate } from './url-template';

export interface Actions {
  all: Action[];
  /** Built-in tools that the configuration disables. */
  switchedOff: ReadonlySet<string>;
}

const PART = 'persona.actions';
const LONGEST_DESCRIPTION = 2_000;
const LONGEST_URL = 2_000;
const LONGEST_JSON = 16_000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Headers that the HTTP client sets itself. */
const FORBIDDEN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;
/** A phone number in any form that the API stores, or a SIP address. The API validates it when the call is transferred. */
const DESTINATION = /^(?:(?:tel:)?\+?\d{7,15}|sips?:[^\s<>"]{3,200})$/i;
const SEPARATORS = /[\s\-\u2010-\u2015.()[\]]/g;
/**
 * Models reject schemas that have conditions such as `anyOf` next to the properties, so the model gets only the properties and these
 * keywords. The argument check uses the whole schema.
 */
const SEEN_BY_MODEL = ['additionalProperties', 'definitions', '$defs'] as const;
/** The first errors usually cause the others. */
const MAX_FAULTS = 5;

type Configured = NonNullable<ResolvedSection<'persona'>['actions'][string]>;

/** Ignores items that have an unknown type, are disabled, or lack a setting that their type needs. */
export function readActions({ persona }: Pick<ResolvedConfig, 'persona'>, ignored: IgnoredSettings): Actions {
  const all: Action[] = [];
  const switchedOff = new Set<string>();
  for (const [name, configured] of Object.entries(persona.actions)) {
    if (configured?.enabled === false) {
      switchedOff.add(configured.type);
      continue;
    }
    const action = configured === null ? 'not an object' : readAction(name, configured);
    if (typeof action === 'string') ignored.add(PART, action);
    else if (isReservedName(action) || all.some((other) => other.name === action.name))
      ignored.add(PART, 'a duplicate or reserved name');
    else if (all.length >= USES.actions.entries) ignored.add(PART, 'more than 50');
    else all.push(action);
  }
  return { all, switchedOff };
}

/** Replaces other characters, because models accept at most 64 letters, digits, `_` and `-` in a tool name. */
const toolName = (name: string): string =>
  name
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, 64);

/** Returns the action, or the reason why it is ignored. */
function readAction(key: string, item: Configured): Action | string {
  const name = toolName(key);
  if (name === '' || /^_+$/.test(name)) return 'a name without Latin letters';
  const description = item.description === '' ? name.replaceAll('_', ' ') : item.description;
  if (description.length > LONGEST_DESCRIPTION) return 'a description longer than 2,000 characters';
  switch (item.type) {
    case 'end_call':
    case 'request_callback':
      return { type: item.type, name, description };
    case 'transfer': {
      const to = /^\s*sips?:/i.test(item.to) ? item.to.trim() : item.to.replace(SEPARATORS, '');
      return DESTINATION.test(to)
        ? { type: 'transfer', name, description, to }
        : 'no valid number to transfer to';
    }
    case 'http_request':
      return httpAction({ key, name, description }, item);
    default:
      return 'an unknown type';
  }
}

function httpAction(
  named: Pick<HttpAction, 'key' | 'name' | 'description'>,
  item: Configured,
): HttpAction | string {
  const { url } = item;
  if (url.length > LONGEST_URL || !isUrlTemplate(url))
    return 'no http or https address, or variables in its host';
  const requestedMethod = item.method.toUpperCase();
  const method = METHODS.find((known) => known === requestedMethod);
  if (method === undefined) return 'an unknown method';
  const headers = headersOf(item.headers);
  if (headers === null) return 'invalid headers';
  const schema = schemaOf(item.parameters);
  const check = schema === null ? null : argumentCheck(schema.whole);
  if (schema === null || check === null) return 'parameters that are not a JSON schema of an object';
  const body = item.body ?? undefined;
  if ((JSON.stringify(body) ?? '').length > LONGEST_JSON) return 'a body longer than 16,000 characters';
  return {
    type: 'http_request',
    ...named,
    method,
    url,
    headers,
    body,
    parameters: schema.parameters,
    check,
    withinMs: item.timeout_ms,
    waitingMessage: item.waiting_message === '' ? null : item.waiting_message,
  };
}

function headersOf(value: unknown): Record<string, string> | null {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) return null;
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) || FORBIDDEN_HEADERS.test(name)) return null;
    if (typeof text !== 'string' && typeof text !== 'number') return null;
    headers[name] = String(text);
  }
  return headers;
}

interface ReadSchema {
  parameters: ParameterSchema;
  whole: JsonObject;
}

/** Accepts the JSON schema of an object or, as a shorthand, a map from parameter name to description. */
function schemaOf(value: unknown): ReadSchema | null {
  if (value === undefined || value === null) return fullSchema({ properties: {} });
  if (!isJsonObject(value) || JSON.stringify(value).length > LONGEST_JSON) return null;
  if (value.type === 'object' || isJsonObject(value.properties)) return fullSchema(value);
  const texts = Object.entries(value);
  if (!texts.every(([, meaning]) => typeof meaning === 'string')) return null;
  const properties = Object.fromEntries(
    texts.map(([name, meaning]) => [name, { type: 'string', description: meaning }]),
  );
  return fullSchema({ properties, required: Object.keys(properties) });
}

function fullSchema(value: JsonObject): ReadSchema | null {
  const properties = value.properties ?? {};
  if (!isJsonObject(properties) || !Object.values(properties).every(isJsonObject)) return null;
  const listed: unknown[] = Array.isArray(value.required) ? value.required : [];
  const required = listed.filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(properties, name),
  );
  const object = { type: 'object', properties, required } as const;
  const seen = Object.fromEntries(
    SEEN_BY_MODEL.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]),
  );
  // `$schema` and `$id` can refer to documents that the validator cannot load.
  const { $schema: _dialect, $id: _id, ...whole } = value;
  return { parameters: { ...object, ...seen }, whole: { ...whole, ...object } };
}

/** Compiles the schema into a check of a tool call's arguments. Returns null if the schema is invalid. */
function argumentCheck(schema: JsonObject): ArgumentCheck | null {
  const validate = compiledSchema(schema);
  if (validate === null) return null;
  return (args) => (validate(rounded(args)) ? null : describeFaults(validate.errors ?? []));
}

const AJV_OPTIONS = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
/** Compiles the meta-schema once, because this takes much longer than compiling a schema of an action. */
const metaSchema = new Ajv(AJV_OPTIONS);

function compiledSchema(schema: JsonObject): ValidateFunction | null {
  if (metaSchema.validateSchema(schema) !== true) return null;
  // Try with the `u` flag first. Some patterns are only valid without it.
  for (const unicodeRegExp of [true, false]) {
    try {
      // Each schema gets its own instance, because an instance shares the ids of all its schemas.
      return new Ajv({ ...AJV_OPTIONS, unicodeRegExp, validateSchema: false }).compile(schema);
    } catch {
      // If compiling fails without the flag too, the action is ignored.
    }
  }
  return null;
}

function describeFaults(errors: readonly ErrorObject[]): string {
  const faults = errors.slice(0, MAX_FAULTS).map(({ instancePath, message = 'is wrong', params }) => {
    const where = instancePath === '' ? 'the arguments' : instancePath.slice(1);
    const detail: unknown = params.allowedValues ?? params.additionalProperty;
    return `${where} ${message}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`;
  });
  return `${faults.join('; ')}. Correct the arguments, or ask the caller`;
}
