/** Values of the carrier protocol, spelled as in its messages. */
import Joi from 'joi';
export type CallState = 'accepted' | 'dialing' | 'ringing' | 'answered' | 'ended';

export type EndReason =
  | 'agent'
  | 'callee'
  | 'platform'
  | 'no_answer'
  | 'busy'
  | 'rejected'
  | 'invalid_number'
  | 'carrier_failure'
  | 'max_talk'
  | 'dropped';

export type AnsweredBy = 'human' | 'machine' | 'unknown';

export type EventType = 'inbound' | 'dialing' | 'ringing' | 'answered' | 'segment' | 'ended';

/** `start_ms` and `end_ms` count from the answer. */
export interface Segment {
  speaker: 'agent' | 'user';
  text: string;
  start_ms: number;
  end_ms: number;
}

export interface CarrierAgent {
  name: string;
  greeting: string;
  prompt: string;
}

export interface CallRequest {
  reference: string;
  to: string;
  from: string | null;
  not_after: string;
  ring_timeout_s: number;
  max_talk_s: number;
  amd: boolean;
  events_url: string;
  agent: CarrierAgent;
  variables: Record<string, unknown>;
}

/** Defines where the simulator reports calls to one of our numbers, and which agent answers them. */
export interface InboundRoute {
  events_url: string;
  agent: CarrierAgent;
}

export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}

export interface Fault {
  field: string;
  reason: string;
}

/** The parsed body, or all of its faults. */
type Parsed<T> = { value: T } | { faults: Fault[] };

const explained = <S extends Joi.Schema>(schema: S, reason: string): S =>
  schema.required().messages({ '*': reason }) as S;
const text = Joi.string().allow('');
const number = explained(Joi.string().pattern(/^\+[1-9]\d{6,14}$/), 'must be a number in E.164 form');
const url = explained(Joi.string().uri({ scheme: ['http', 'https'] }), 'must be an http or https URL');
const seconds = explained(
  Joi.number().greater(0).max(86_400),
  'must be a number of seconds above 0, at most 86400',
);
const instant = Joi.string().custom((value: string, helpers) =>
  /(?:Z|[+-]\d\d:\d\d)$/.test(value) && Number.isFinite(Date.parse(value))
    ? value
    : helpers.error('any.invalid'),
);
const agent = explained(
  Joi.object({
    name: explained(text, 'must be a string'),
    greeting: explained(text, 'must be a string'),
    prompt: explained(text, 'must be a string'),
  }),
  'must be an object',
);

const CALL = Joi.object<CallRequest, true>({
  reference: explained(Joi.string().max(256), 'must be a string of 1 to 256 characters'),
  to: number,
  from: number.optional().allow(null).default(null),
  not_after: explained(instant, 'must be an ISO 8601 instant with a zone'),
  ring_timeout_s: seconds,
  max_talk_s: seconds,
  amd: explained(Joi.boolean(), 'must be a boolean').optional().allow(null).default(false),
  events_url: url,
  agent,
  variables: explained(Joi.object(), 'must be an object').optional().allow(null).default({}),
});
const ROUTE = Joi.object<InboundRoute, true>({ events_url: url, agent });
const CALLER = Joi.object<{ to: string; from: string }, true>({ to: number, from: number });

/** Parses the body of `POST /calls`. `from`, `amd` and `variables` are optional. */
export const parseCallRequest = (body: unknown): Parsed<CallRequest> => {
  const parsed = parse<CallRequest>(CALL, body);
  if ('faults' in parsed) return parsed;
  const { amd, variables } = parsed.value;
  return { value: { ...parsed.value, amd: amd ?? false, variables: variables ?? {} } };
};

/** Parses the body of `PUT /inbound/{number}`. */
export const parseInboundRoute = (body: unknown): Parsed<InboundRoute> => parse(ROUTE, body);

/** Parses the body of `POST /inbound-calls`. */
export const parseInboundCall = (body: unknown): Parsed<{ to: string; from: string }> => parse(CALLER, body);

export const isE164 = (value: string): boolean => number.validate(value).error === undefined;

function parse<T>(schema: Joi.ObjectSchema<T>, body: unknown): Parsed<T> {
  const read = schema.required().validate(body, { abortEarly: false, convert: false, stripUnknown: true });
  if (read.error === undefined) return { value: read.value };
  return {
    faults: read.error.details.map(({ path, message }) =>
      path.length === 0
        ? { field: 'body', reason: 'must be an object' }
        : { field: path.join('.'), reason: message },
    ),
  };
}
