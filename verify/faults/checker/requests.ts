/** The runner's requests to the API and their possible effects. */
import { type ApiRequest, type Line, msOf } from './evidence';

type RequestKind = 'create' | 'dispatch' | 'pause' | 'resume' | 'cancel' | 'edit' | 'hangUp';

export interface Asked {
  kind: RequestKind;
  /** From the path, or from the response to a create request; null if unknown. */
  campaignId: string | null;
  callId: string | null;
  sentMs: number;
  /** Latest time at which the request takes effect. The API may still be working on a request that got no response. */
  effectByMs: number;
  acknowledged: boolean;
  /** True if the request certainly took effect. A request without a response may have taken effect. Rejected requests aren't listed. */
  fields: Record<string, unknown>;
  line: number;
}

/** How long an API process may keep working on a request after the client has disconnected. */
const UNANSWERED_WORKS_ON_MS = 15_000;

const CAMPAIGN_ACTION = /^\/api\/campaigns\/([^/]+)\/(pause|resume|cancel)\/?$/;
const CAMPAIGN = /^\/api\/campaigns\/([^/]+)\/?$/;
const HANG_UP = /^\/api\/calls\/([^/]+)\/hangup\/?$/;

/** Returns requests in the order in which they were sent. */
export function askedOf(requests: readonly Line<ApiRequest>[]): Asked[] {
  return requests
    .flatMap((request) => asked(request) ?? [])
    .sort((one, other) => one.sentMs - other.sentMs || one.line - other.line);
}

function asked(request: Line<ApiRequest>): Asked | null {
  const { status } = request;
  const known = target(request);
  if (known === null || (status !== null && status >= 300 && status < 500)) return null;
  const sentMs = msOf(request.sent_at);
  const acknowledged = status !== null && status < 300;
  const answeredMs = request.answered_at === null ? sentMs : msOf(request.answered_at);
  return {
    ...known,
    sentMs,
    effectByMs: acknowledged ? answeredMs : answeredMs + UNANSWERED_WORKS_ON_MS,
    acknowledged,
    fields: objectOf(request.request),
    line: request.line,
  };
}

function target({ method, path, body }: ApiRequest): Pick<Asked, 'kind' | 'campaignId' | 'callId'> | null {
  const [address = ''] = path.split('?');
  if (method === 'PUT') {
    const id = CAMPAIGN.exec(address)?.[1];
    return id === undefined ? null : { kind: 'edit', campaignId: id, callId: null };
  }
  if (method !== 'POST') return null;
  if (/^\/api\/campaigns\/create\/?$/.test(address)) {
    return { kind: 'create', campaignId: textAt(objectOf(body), 'id'), callId: null };
  }
  if (/^\/api\/trigger-call\/?$/.test(address)) {
    return { kind: 'dispatch', campaignId: null, callId: textAt(objectOf(objectOf(body).output), 'call_id') };
  }
  const hungUp = HANG_UP.exec(address)?.[1];
  if (hungUp !== undefined) return { kind: 'hangUp', campaignId: null, callId: hungUp };
  const [, id, action] = CAMPAIGN_ACTION.exec(address) ?? [];
  if (id === undefined || (action !== 'pause' && action !== 'resume' && action !== 'cancel')) return null;
  return { kind: action, campaignId: id, callId: null };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a body as an object. Parses text; returns an empty object for anything else. */
function objectOf(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function textAt(object: Record<string, unknown>, name: string): string | null {
  const value = object[name];
  return typeof value === 'string' ? value : null;
}
