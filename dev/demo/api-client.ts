/** Calls the platform as any API client does: over HTTP, with an API key. */

import Joi from 'joi';
import { withOwnSignal, withTimeout } from '../../runtime/network/time-limit';

interface ApiAccess {
  baseUrl: string;
  key: string;
  signal: AbortSignal;
}

/** The API returned an error, or a response that doesn't match its documentation. */
class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}

const TIMEOUT_MS = 10_000;

/** Builds a request with an API key. `body` is sent as JSON unless it is a form. */
export function requestWith(key: string, method: string, body?: object | FormData): RequestInit {
  const isForm = body instanceof FormData;
  return {
    method,
    headers: { 'X-API-Key': key, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  };
}

export class ApiClient {
  constructor(private readonly access: ApiAccess) {}

  get<Answer>(path: string, shape: Joi.ObjectSchema<Answer>): Promise<Answer> {
    return this.request('GET', path, shape);
  }

  /** `body` is sent as JSON unless it is a form. */
  post<Answer>(
    path: string,
    body: object | FormData,
    shape: Joi.ObjectSchema<Answer>,
    { timeoutMs = TIMEOUT_MS } = {},
  ): Promise<Answer> {
    return this.request('POST', path, shape, { body, timeoutMs });
  }

  private async request<Answer>(
    method: 'GET' | 'POST',
    path: string,
    shape: Joi.ObjectSchema<Answer>,
    { body, timeoutMs = TIMEOUT_MS }: { body?: object | FormData; timeoutMs?: number } = {},
  ): Promise<Answer> {
    const { baseUrl, key } = this.access;
    const { response, text } = await withOwnSignal(this.access.signal, (signal) => {
      const send = async () => {
        const response = await fetch(`${baseUrl}${path}`, { ...requestWith(key, method, body), signal });
        return { response, text: await response.text() };
      };
      return withTimeout(timeoutMs, send());
    });
    if (!response.ok) throw new UnexpectedAnswer(`${method} ${path} returned ${response.status}: ${text}`);
    return read(text, shape, `${method} ${path}`);
  }
}

function read<Answer>(text: string, shape: Joi.ObjectSchema<Answer>, what: string): Answer {
  const result = shape.validate(parsed(text, what), { convert: false, stripUnknown: true });
  if (result.error === undefined) return result.value;
  throw new UnexpectedAnswer(`${what} returned an unexpected response: ${result.error.message}`);
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedAnswer(`${what} did not return JSON`, { cause });
  }
}

export interface CampaignAnswer {
  id: string;
  campaign_status: string;
  /** Why the campaign isn't dialling, in words; null while it dials. */
  status_reason: string | null;
  stats: { total_calls: number; completed: number; pending: number; in_progress: number; failed: number };
}

export interface ContactAnswer {
  row: number;
  name: string;
  phone_number: string;
  state: string;
  attempts: { call_id: string; call_status: string }[];
  next: { action: string; at: string | null };
}

export interface CallAnswer {
  call_id: string;
  call_status: string;
  to_number: string;
  duration_ms: number;
  call_dialing_at: string | null;
  call_ringing_at: string | null;
  user_picked_up_at: string | null;
  End_time: string | null;
}

export interface DetailsAnswer {
  transcription: string;
  summary: string;
  entity: Record<string, unknown> | string;
  call_eval_tag: string | null;
}

const text = Joi.string().required();
const count = Joi.number().integer().required();
const time = Joi.string().allow(null).required();

export const AGENT_CREATED = Joi.object<{ agent_id: string }>({ agent_id: text });
export const CAMPAIGN_CREATED = Joi.object<Pick<CampaignAnswer, 'id'>>({ id: text });

export const CAMPAIGN = Joi.object<CampaignAnswer>({
  id: text,
  campaign_status: text,
  status_reason: Joi.string().allow(null).required(),
  stats: Joi.object({
    total_calls: count,
    completed: count,
    pending: count,
    in_progress: count,
    failed: count,
  }).required(),
});

export const CONTACTS = Joi.object<{ data: ContactAnswer[] }>({
  data: Joi.array()
    .items(
      Joi.object({
        row: count,
        name: text,
        phone_number: text,
        state: text,
        attempts: Joi.array()
          .items(Joi.object({ call_id: text, call_status: text }))
          .required(),
        next: Joi.object({ action: text, at: time }).required(),
      }),
    )
    .required(),
});

export const CALLS = Joi.object<{ data: CallAnswer[] }>({
  data: Joi.array()
    .items(
      Joi.object({
        call_id: text,
        call_status: text,
        to_number: text,
        duration_ms: Joi.number().required(),
        call_dialing_at: time,
        call_ringing_at: time,
        user_picked_up_at: time,
        End_time: time,
      }),
    )
    .required(),
});

export const DETAILS = Joi.object<DetailsAnswer>({
  transcription: text,
  summary: Joi.string().allow('').required(),
  entity: Joi.alternatives(Joi.object().unknown(true), Joi.string()).required(),
  call_eval_tag: Joi.string().allow(null).required(),
});
