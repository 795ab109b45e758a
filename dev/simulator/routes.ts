import { presentCall } from './call';
import { isoOf, type Clock } from './clock';
import type { Counters } from './history';
import type { Exchange } from './exchange';
import type { RequestEntry, SimulatorLog } from './log';
import { scriptFor } from './numbers';
import {
  type CallRequest,
  type InboundRoute,
  isE164,
  parseCallRequest,
  parseInboundCall,
  parseInboundRoute,
  type Fault,
} from './protocol';

interface CarrierRequest {
  method: string;
  url: URL;
  authorization: string | undefined;
  /** Parsed JSON; undefined if the body isn't JSON. */
  body: unknown;
  /** When handling began. */
  atMs: number;
}

/** `status: null` cuts the connection instead of answering. `noted` is added to the log entry. */
export interface Answer {
  status: number | null;
  body?: object;
  noted?: Pick<RequestEntry, 'reference' | 'to' | 'not_after' | 'carrier_id'>;
}

interface RouteOptions {
  secret: string;
  clock: Clock;
  log: SimulatorLog;
  exchange: Exchange;
  counters: Counters;
  inboundRoutes: Map<string, InboundRoute>;
}

export type Route = (request: CarrierRequest) => Answer;

const NOT_FOUND: Answer = { status: 404, body: { code: 'NOT_FOUND' } };
const RETRY_AFTER_S = 1;

const invalid = (faults: Fault[], noted: Answer['noted'] = {}): Answer => ({
  status: 400,
  body: { code: 'BAD_REQUEST', faults },
  noted,
});

/**
 * Handles all requests of the protocol synchronously, so that every response is in the log before it is sent. When a dial is rejected, the
 * response states that no call was placed.
 */
export function createRoute(options: RouteOptions): Route {
  const answerTo = answers(options);
  return (request) => {
    const answer = answerTo(request);
    const isRejected = answer.status !== null && answer.status >= 400;
    if (!isRejected || request.method !== 'POST' || request.url.pathname !== '/calls') return answer;
    return { ...answer, body: { placed: false, ...answer.body } };
  };
}

function answers(options: RouteOptions): Route {
  const { secret, exchange, counters } = options;
  return (request) => {
    const { method, url } = request;
    const [, first = '', second, ...rest] = url.pathname.split('/');
    if (method === 'GET' && url.pathname === '/stats') return { status: 200, body: counters.stats() };
    if (request.authorization !== `Bearer ${secret}`) {
      return { status: 401, body: { code: 'UNAUTHORIZED' } };
    }
    if (rest.length > 0) return NOT_FOUND;
    const item = second === undefined ? '' : decoded(second);
    switch (`${method} /${first}${second === undefined ? '' : '/:item'}`) {
      case 'POST /calls':
        return placeCall(options, request);
      case 'GET /calls':
        return lookUp(exchange, url.searchParams.get('reference'));
      case 'DELETE /calls/:item':
        return hangUp(exchange, item);
      case 'PUT /inbound/:item':
        return setInbound(options, item, request.body);
      case 'DELETE /inbound/:item':
        return removeInbound(options, item);
      case 'POST /inbound-calls':
        return callIn(options, request.body);
      default:
        return NOT_FOUND;
    }
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function placeCall(options: RouteOptions, { body, atMs }: CarrierRequest): Answer {
  const parsed = parseCallRequest(body);
  if ('faults' in parsed) return invalid(parsed.faults, notedFrom(body));
  const { value: call } = parsed;
  const noted = { reference: call.reference, to: call.to, not_after: call.not_after };
  const script = scriptFor(call.to);
  if (atMs > Date.parse(call.not_after)) return { status: 410, body: { code: 'TOO_LATE' }, noted };
  if (script.post === 'invalid') return { status: 422, body: { code: 'INVALID_NUMBER' }, noted };
  const rejection = rejectFirst(options.counters, call);
  if (rejection !== null) return { ...rejection, noted };
  const placed = options.exchange.place(call, atMs);
  return {
    status: script.reply === 'lost' ? null : 201,
    body: { carrier_id: placed.carrierId, reference: placed.reference, state: placed.state },
    noted: { ...noted, carrier_id: placed.carrierId },
  };
}

/** Returns the valid fields of a rejected body that belong in the log. */
function notedFrom(body: unknown): Answer['noted'] {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const [reference, to, notAfter] = ['reference', 'to', 'not_after'].map((name) => fields.get(name));
  return {
    ...(typeof reference === 'string' && { reference }),
    ...(typeof to === 'string' && { to }),
    ...(typeof notAfter === 'string' && { not_after: notAfter }),
  };
}

function rejectFirst(counters: Counters, { to }: CallRequest): Answer | null {
  const { post } = scriptFor(to);
  if (post === 'taken' || post === 'invalid' || counters.wasRejected(to)) return null;
  counters.postRejected(to);
  return post === 'first_503'
    ? { status: 503, body: { code: 'UNAVAILABLE' } }
    : { status: 429, body: { code: 'TOO_MANY_CALLS', retry_after_s: RETRY_AFTER_S } };
}

function lookUp(exchange: Exchange, reference: string | null): Answer {
  if (reference === null || reference === '') {
    return invalid([{ field: 'reference', reason: 'is required' }]);
  }
  return { status: 200, body: { calls: exchange.find(reference).map(presentCall) }, noted: { reference } };
}

function hangUp(exchange: Exchange, carrierId: string): Answer {
  const outcome = exchange.hangUp(carrierId);
  if (outcome.result === 'unknown') {
    return { status: 404, body: { code: 'UNKNOWN_CALL' }, noted: { carrier_id: carrierId } };
  }
  const { reference, to, state } = outcome.call;
  const noted = { carrier_id: carrierId, to, ...(reference !== null && { reference }) };
  if (outcome.result === 'over') return { status: 409, body: { code: 'ALREADY_OVER' }, noted };
  return { status: 202, body: { carrier_id: carrierId, reference, state }, noted };
}

function setInbound(options: RouteOptions, number: string, body: unknown): Answer {
  const parsed = parseInboundRoute(body);
  const faults = 'faults' in parsed ? parsed.faults : [];
  if (!isE164(number)) faults.push({ field: 'number', reason: 'must be a number in E.164 form' });
  if ('faults' in parsed || faults.length > 0) return invalid(faults, { to: number });
  options.inboundRoutes.set(number, parsed.value);
  options.log.write({ kind: 'route', at: isoOf(options.clock.nowMs()), number, route: parsed.value });
  return { status: 204, noted: { to: number } };
}

/** Also succeeds if there is no such route, because the platform may retry the request. */
function removeInbound(options: RouteOptions, number: string): Answer {
  if (options.inboundRoutes.delete(number)) {
    options.log.write({ kind: 'route', at: isoOf(options.clock.nowMs()), number, route: null });
  }
  return { status: 204, noted: { to: number } };
}

function callIn(options: RouteOptions, body: unknown): Answer {
  const parsed = parseInboundCall(body);
  if ('faults' in parsed) return invalid(parsed.faults, notedFrom(body));
  const { to, from } = parsed.value;
  const route = options.inboundRoutes.get(to);
  if (route === undefined) return { status: 404, body: { code: 'NO_ROUTE' }, noted: { to } };
  const call = options.exchange.ring(route, to, from);
  return {
    status: 201,
    body: { carrier_id: call.carrierId, to, from, state: call.state },
    noted: { to, carrier_id: call.carrierId },
  };
}
