/** Builds the request of an action from the model's arguments. */
import { isJsonObject, parsedJson, type JsonObject } from '../../../domain/json';
import { fillTemplate } from '../../../domain/template';
import type { HttpAction, OutgoingRequest, RequestOutcome } from './actions';
import { exactJson, mayBeRounded, textOf } from './exact-numbers';
import { fillUrl, placeholdersIn } from './url-template';

const NOT_EXACT = 'a number has too many digits: give it as text, digit by digit';
const STRING_OR_PLACEHOLDER = /"(?:[^"\\]|\\.)*"|\{\{([^{}]*)\}\}/g;
/** Columns of contact files are always text, so text that looks like a number is treated as a number. */
const JSON_SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)$/;
const MAX_ANSWER_CHARS = 4_000;

type Values = Readonly<Record<string, unknown>>;

/** The request, or the reason why it can't be built, as an answer to the model. */
type BuiltRequest = { kind: 'request'; request: OutgoingRequest } | { kind: 'rejected'; why: string };

const rejected = (why: string): BuiltRequest => ({ kind: 'rejected', why });

/** Arguments override variables of the same name. Arguments outside the schema are dropped, unless the schema forbids additional ones. */
export function buildRequest(action: HttpAction, toolArgs: Values, variables: Values): BuiltRequest {
  const { properties, required, additionalProperties } = action.parameters;
  const named = Object.entries(toolArgs).filter(([name]) => Object.hasOwn(properties, name));
  const args = Object.fromEntries(named);
  const missing = required.find(
    (name) => args[name] === undefined || args[name] === null || args[name] === '',
  );
  if (missing !== undefined) return rejected(`${missing} is missing: ask for it`);
  if (mayBeRounded(args)) return rejected(NOT_EXACT);
  const fault = action.check(additionalProperties === false ? toolArgs : args);
  if (fault !== null) return rejected(fault);
  const values = { ...variables, ...args };
  const url = fillUrl(action.url, values);
  if (url.kind === 'missing') return rejected(`${url.name} is missing: ask for it`);
  if (url.kind === 'escapes-path')
    return rejected('a value has characters that an address cannot contain: ask for it again');
  const hasBody = action.method !== 'GET' && action.method !== 'DELETE';
  const body = hasBody || action.body !== undefined ? bodyOf(action, args, values) : null;
  return {
    kind: 'request',
    request: {
      method: action.method,
      url: hasBody || action.body !== undefined ? url.url : withQuery(url.url, action.url, args),
      headers: headersOf(action, values, body !== null),
      body,
      withinMs: action.withinMs,
    },
  };
}

/** If GET or DELETE has no configured body, parameters without a placeholder in the address are added to the query. */
function withQuery(filled: string, template: string, args: Values): string {
  const named = placeholdersIn(template);
  const url = new URL(filled);
  for (const [name, value] of Object.entries(args)) {
    if (!named.has(name)) url.searchParams.append(name, textOf(value));
  }
  return url.href;
}

function bodyOf({ body, headers }: HttpAction, args: Values, values: Values): string {
  if (body === undefined) return exactJson(args);
  if (typeof body !== 'string') return exactJson(filledIn(body, values));
  const type = contentTypeOf(headers) ?? '';
  if (type.includes('x-www-form-urlencoded')) return fillTemplate(body, eachValue(values, encodeText));
  if (type.includes('json') || (type === '' && /^\s*[[{]/.test(body))) return filledJson(body, values);
  const isMarkup = type.includes('xml') || type.includes('html') || (type === '' && /^\s*</.test(body));
  return fillTemplate(body, eachValue(values, isMarkup ? escapeMarkup : (text) => text));
}

/** A placeholder outside a JSON string becomes one JSON value, so that no value can add properties to the body. */
function filledJson(body: string, values: Values): string {
  const inText = eachValue(values, insideJsonText);
  return body.replace(STRING_OR_PLACEHOLDER, (part, bare: string | undefined) => {
    if (bare === undefined) return fillTemplate(part, inText);
    const name = bare.trim();
    const value = Object.hasOwn(values, name) ? values[name] : null;
    return typeof value === 'string' && JSON_SCALAR.test(value) ? value : exactJson(value);
  });
}

/** A string that consists of one placeholder becomes the value itself, so that numbers stay numbers. */
function filledIn(part: unknown, values: Values): unknown {
  if (typeof part === 'string') {
    const name = /^\{\{([^{}]*)\}\}$/.exec(part)?.[1]?.trim();
    if (name !== undefined) return Object.hasOwn(values, name) ? values[name] : null;
    return fillTemplate(
      part,
      eachValue(values, (text) => text),
    );
  }
  if (Array.isArray(part)) return part.map((item) => filledIn(item, values));
  if (!isJsonObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, filledIn(item, values)]));
}

const eachValue = (values: Values, change: (text: string) => string): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(textOf(value))]));

const encodeText = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));
const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
const insideJsonText = (text: string): string => JSON.stringify(text).slice(1, -1);

function headersOf({ headers, body }: HttpAction, values: Values, hasBody: boolean): Record<string, string> {
  const filled = Object.fromEntries(
    // Without this, a line break in a value could start another header.
    Object.entries(headers).map(([name, text]) => [
      name,
      fillTemplate(
        text,
        eachValue(values, (value) => value),
      ).replace(/[\r\n\0]+/g, ' '),
    ]),
  );
  if (!hasBody || contentTypeOf(headers) !== null) return filled;
  const isText = typeof body === 'string' && !/^\s*[[{]/.test(body);
  return { ...filled, 'Content-Type': isText ? 'text/plain; charset=utf-8' : 'application/json' };
}

function contentTypeOf(headers: Readonly<Record<string, string>>): string | null {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return found === undefined ? null : found[1].toLowerCase();
}

/** Returns the result of the tool call for the model. */
export function answerForModel(outcome: RequestOutcome): JsonObject {
  if (outcome.kind === 'failed') return { error: outcome.why };
  const { status, isCut } = outcome;
  const text = outcome.body.trim();
  const isShort = !isCut && text.length <= MAX_ANSWER_CHARS;
  return {
    status,
    ...(status >= 200 && status < 300 ? {} : { error: 'the server rejected the request' }),
    ...(text === '' ? {} : { body: isShort ? jsonOrText(text) : text.slice(0, MAX_ANSWER_CHARS) }),
    ...(isShort ? {} : { note: 'this is only the beginning' }),
  };
}

/** Parses JSON so that the model doesn't see its quotation marks escaped twice. Returns any other text unchanged. */
export function jsonOrText(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}
