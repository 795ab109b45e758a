/** The telephony port over the carrier's HTTP protocol (`docs/carrier.md`). */
import type { Agent as HttpAgent } from 'node:http';
import nodeFetch, { FetchError, type RequestInit, type Response } from 'node-fetch';
import Joi from 'joi';
import { PATTERNS } from '../../../domain/agent-config/forms';
import type { SetupFault } from '../../../domain/breakers';
import { ANSWERED_BY, END_REASONS } from '../../../domain/call-outcome';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { storableText } from '../../../domain/storable-text';
import { SPEAKERS, type Speaker } from '../../../domain/transcript';
import { keptConnections, sentTwiceAtMost, NEVER_CONNECTED } from '../../network/own-service';
import { CarrierClock } from '../carrier-clock';
import {
  CARRIER_STATES,
  CarrierUnreachable,
  RouteRefused,
  TAKE_UP_MS,
  type CarrierCall,
  type DialAnswer,
  type DialRequest,
  type Telephony,
} from '../port';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface HttpCarrierOptions {
  /** Without a trailing slash. */
  carrierUrl: string;
  secret: string;
  /** URL to which the carrier sends its events. */
  eventsUrl: string;
  /** Used if the carrier's answers have no `Date` header. */
  clock: () => number;
  /** Replaces node-fetch in tests. */
  fetch?: Fetch;
}

/** A reference that no call has. Look-ups with it only read the carrier's clock. */
const NO_REFERENCE = 'clock';
const ANSWER_WITHIN_MS = 5_000;
/** How long after `notAfter` a placed call may still be missing from a look-up, according to the protocol. */
const LOOK_UP_LAG_MS = 2_000;
/** Possible error of the estimated carrier clock. */
const READ_WRONG_MS = 200;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Segment times are capped at Postgres's largest integer. A call whose transcript cannot be stored would never be processed. */
const LATEST_MS = 2_147_483_647;

interface WireCall {
  carrier_id: string;
  reference: string;
  from: string | null;
  state: CarrierCall['state'];
  end_reason: CarrierCall['endReason'];
  answered_by: CarrierCall['answeredBy'];
  dialing_at: string | null;
  ringing_at: string | null;
  answered_at: string | null;
  ended_at: string | null;
  transcript: { speaker: Speaker; text: string; start_ms: number; end_ms: number }[];
}

const instant = Joi.string().isoDate().allow(null).default(null);
/** A number in any other form becomes null, so that it doesn't invalidate the whole look-up. */
const shownNumber = Joi.string().pattern(PATTERNS.e164).failover(null).default(null);
const wireCalls = Joi.object<{ calls: WireCall[] }>({
  calls: Joi.array()
    .items(
      Joi.object({
        carrier_id: Joi.string().required(),
        reference: Joi.string().required(),
        from: shownNumber,
        state: Joi.string()
          .valid(...CARRIER_STATES)
          .required(),
        end_reason: Joi.string()
          .valid(...END_REASONS)
          .allow(null)
          .default(null),
        answered_by: Joi.string()
          .valid(...ANSWERED_BY)
          .allow(null)
          .default(null),
        dialing_at: instant,
        ringing_at: instant,
        answered_at: instant,
        ended_at: instant,
        transcript: Joi.array()
          .items(
            Joi.object({
              speaker: Joi.string()
                .valid(...SPEAKERS)
                .required(),
              text: Joi.string().allow('').required(),
              start_ms: Joi.number().integer().min(0).required(),
              end_ms: Joi.number().integer().min(0).required(),
            }).unknown(),
          )
          .default([]),
      }).unknown(),
    )
    .required(),
}).unknown();

interface CarrierAnswer {
  response: Response;
  carrierTime: number | null;
}

/** Sends requests to the carrier and reads its clock from each answer. */
function requests({ carrierUrl, secret, fetch = nodeFetch }: HttpCarrierOptions, carrierClock: CarrierClock) {
  const kept = keptConnections(carrierUrl);

  return async function ask(method: string, path: string, body?: unknown): Promise<CarrierAnswer> {
    const sentAtMs = performance.now();
    const request = {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      size: MAX_ANSWER_BYTES,
      redirect: 'error',
    } as const;
    const send = (agent: HttpAgent) => fetch(`${carrierUrl}${path}`, { ...request, agent });
    // Never repeat a dial, because it could place two calls. Its outcome stays unknown until the look-up.
    const response = await (method === 'POST' ? send(kept) : sentTwiceAtMost(carrierUrl, kept, send));
    return { response, carrierTime: carrierClock.read(response.headers.get('date'), sentAtMs) };
  };
}

export function httpCarrier(options: HttpCarrierOptions): Telephony {
  const { eventsUrl, clock } = options;
  const carrierClock = new CarrierClock();
  const ask = requests(options, carrierClock);
  const lookUp = (reference: string) => ask('GET', `/calls?reference=${encodeURIComponent(reference)}`);

  return {
    ...WITHOUT_ROOMS,

    async now() {
      if (carrierClock.now() === null) {
        // If the carrier is unreachable now, the dial fails too.
        const asked = await lookUp(NO_REFERENCE).catch(() => null);
        await asked?.response.text().catch(() => undefined);
      }
      return carrierClock.now() ?? clock();
    },

    async dial(request) {
      try {
        const { response } = await ask('POST', '/calls', wireRequest(request, eventsUrl));
        return await dialAnswer(response, () => carrierClock.forget());
      } catch (error) {
        if (error instanceof FetchError && NEVER_CONNECTED.has(error.code ?? '')) {
          return { kind: 'notPlaced', retryAfterMs: null };
        }
        return { kind: 'unknown' };
      }
    },

    async find(reference) {
      let answer: unknown;
      let carrierTime: number | null;
      try {
        const asked = await lookUp(reference);
        const { response } = asked;
        ({ carrierTime } = asked);
        if (response.status !== 200) throw new Error(`status ${response.status}`);
        answer = await response.json();
      } catch (cause) {
        throw new CarrierUnreachable('the carrier did not respond to a look-up', { cause });
      }
      const read = wireCalls.validate(answer);
      if (read.error !== undefined) {
        throw new CarrierUnreachable("the carrier's answer to a look-up is invalid", { cause: read.error });
      }
      // A restarted carrier may have forgotten a live call, and any carrier may forget one after a day.
      return {
        calls: read.value.calls.map(fromWire),
        carrierTime,
        lagMs: LOOK_UP_LAG_MS,
        goneMeansOver: false,
      };
    },

    pendingDialMs: () => TAKE_UP_MS + READ_WRONG_MS,

    hangUp: (carrierId) => hungUp(() => ask('DELETE', `/calls/${encodeURIComponent(carrierId)}`)),

    setInboundRoute: ({ number, agent }) =>
      routed(() => ask('PUT', inboundPath(number), { events_url: eventsUrl, agent }), [200, 201, 202, 204]),
    // A route that the carrier doesn't have counts as removed.
    removeInboundRoute: (number) =>
      routed(() => ask('DELETE', inboundPath(number)), [200, 202, 204, 404, 410]),
  };
}

async function hungUp(request: () => Promise<CarrierAnswer>): Promise<'ending' | 'over'> {
  let status: number;
  try {
    const { response } = await request();
    await response.text();
    status = response.status;
  } catch (cause) {
    throw new CarrierUnreachable('the carrier did not respond to a hang-up', { cause });
  }
  if (status === 202) return 'ending';
  if (status === 404 || status === 409) return 'over';
  throw new CarrierUnreachable(`the carrier answered a hang-up with status ${status}`);
}

const inboundPath = (number: string): string => `/inbound/${encodeURIComponent(number)}`;

/** Statuses with which the carrier rejects a route permanently. */
const ROUTE_REFUSALS = [400, 404, 409, 422];

async function routed(request: () => Promise<CarrierAnswer>, done: readonly number[]): Promise<void> {
  let status: number;
  try {
    const { response } = await request();
    await response.text();
    status = response.status;
  } catch (cause) {
    throw new CarrierUnreachable('the carrier did not respond to a route request', { cause });
  }
  if (done.includes(status)) return;
  if (ROUTE_REFUSALS.includes(status)) {
    throw new RouteRefused(`the carrier rejected a route with status ${status}`);
  }
  throw new CarrierUnreachable(`the carrier answered a route request with status ${status}`);
}

function wireRequest(request: DialRequest, eventsUrl: string): Record<string, unknown> {
  return {
    reference: request.reference,
    to: request.to,
    from: request.from,
    not_after: request.notAfter.toISOString(),
    ring_timeout_s: request.ringTimeoutS,
    max_talk_s: request.maxTalkS,
    amd: request.amd,
    events_url: eventsUrl,
    agent: request.agent,
    variables: request.variables,
  };
}

async function dialAnswer(response: Response, forgetClock: () => void): Promise<DialAnswer> {
  const body: unknown = await response.json().catch(() => null);
  const { carrier_id: carrierId, placed, ...refusal }: JsonObject = isJsonObject(body) ? body : {};
  if (response.status === 201 && typeof carrierId === 'string') return { kind: 'placed', carrierId };
  // Trust only the carrier's own `placed: false`. A proxy can return an error for a request that the carrier has accepted.
  if (response.status < 400 || placed !== false) return { kind: 'unknown' };
  return refused(response.status, refusal, forgetClock);
}

/** Reads a refusal in which the carrier states that it placed no call. */
function refused(status: number, refusal: JsonObject, forgetClock: () => void): DialAnswer {
  if (status === 422) return { kind: 'invalidNumber' };
  const faults = status === 400 ? faultyFields(refusal.faults) : null;
  if (faults !== null && faults !== 'not_after') return { kind: 'refused', faults, ...setupFaultIn(faults) };
  // The carrier's clock was set back after we read it.
  if (faults !== null) forgetClock();
  const seconds = refusal.retry_after_s;
  return {
    kind: 'notPlaced',
    retryAfterMs: typeof seconds === 'number' ? seconds * 1000 : null,
    ...(status === 401 && { because: 'carrier_key' }),
  };
}

/** Fields that differ from call to call. */
const OF_THE_CALL = /^(?:reference|to|variables)\b/;

/** Returns a setup fault if the named fields are the same for all calls, so that the carrier would reject all of them. */
function setupFaultIn(faults: string): { because?: SetupFault } {
  const fields = faults === '' ? [] : faults.split(',');
  if (fields.length === 0 || fields.some((field) => OF_THE_CALL.test(field))) return {};
  return { because: fields.includes('from') ? 'caller_id' : 'request' };
}

/** Keeps only field names, because a carrier may quote the number or the prompt in its error messages. */
function faultyFields(faults: unknown): string {
  const names = (Array.isArray(faults) ? faults : []).map((fault: unknown) =>
    typeof fault === 'object' && fault !== null && 'field' in fault ? fault.field : fault,
  );
  return names.filter((name) => typeof name === 'string' && /^[a-z][a-z_.]{0,40}$/.test(name)).join(',');
}

function fromWire(call: WireCall): CarrierCall {
  return {
    carrierId: call.carrier_id,
    reference: call.reference,
    fromNumber: call.from,
    state: call.state,
    endReason: call.end_reason,
    answeredBy: call.answered_by,
    dialingAt: call.dialing_at,
    ringingAt: call.ringing_at,
    answeredAt: call.answered_at,
    endedAt: call.ended_at,
    transcript: call.transcript.map(({ speaker, text, start_ms, end_ms }) => ({
      speaker,
      text: storableText(text),
      startMs: Math.min(start_ms, LATEST_MS),
      endMs: Math.min(end_ms, LATEST_MS),
    })),
  };
}

/** For a carrier that needs no preparation before a dial and has no browser sessions. */
const WITHOUT_ROOMS: Pick<
  Telephony,
  'preparesFirst' | 'needsCallerId' | 'prepare' | 'release' | 'createSession' | 'held' | 'retrieve'
> = {
  preparesFirst: () => false,
  needsCallerId: () => false,
  prepare: () => Promise.resolve({ kind: 'ready' }),
  release: () => Promise.resolve(),
  createSession: () => Promise.resolve({ kind: 'refused', faults: 'medium' }),
  held: () => Promise.resolve([]),
  retrieve: () => Promise.resolve({ kind: 'absent' }),
};
