/** The agent's requests to the API: those of the worker, and those of one call. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { isJsonObject, valueAt } from '../../domain/json';
import type { Log } from '../log';
import { readCallContext, type CallContext } from './call-context';
import { uploadRecording, type PendingRecordings } from './pending-recordings';
import {
  callPath,
  requestApi,
  type ApiAccess,
  type ApiRequest,
  type ApiResult,
  withRetries,
} from './request';

/** About as long as a worker waits for the agent to be ready. */
const CONTEXT_WITHIN_MS = 15_000;
/** The caller hears ringing during this time. */
const DECISION_WITHIN_MS = 10_000;
/** The caller waits for the action. */
const SECRETS_WITHIN_MS = 3_000;
const UPLOAD_ATTEMPTS_MS = 10 * 60_000;
/** Limit for a recording that the worker can upload later. */
const KEPT_UPLOAD_ATTEMPTS_MS = 60_000;
const CLAIM_BYTES = 32;
const TAKEN = 409;
const OVER = 410;
const AGENT_NAME_WITHIN_MS = 15_000;

type CallContextResult =
  /** `access` is limited to this call. */
  | { kind: 'found'; callContext: CallContext; access: ApiAccess }
  /** Another agent has the call, so its room must not be touched. */
  | { kind: 'taken' }
  | { kind: 'over' }
  | { kind: 'unknown' }
  | { kind: 'unavailable' };

type InboundDecision =
  | { kind: 'accepted'; callId: string }
  | { kind: 'rejected'; say: string }
  /** Another agent has the call, so its room must not be touched. */
  | { kind: 'taken' }
  /** The API did not decide in time. */
  | { kind: 'unavailable' };

interface InboundCall {
  roomName: string;
  /** The called number. */
  to: string;
  /** Empty when the caller withholds it. */
  from: string;
  at: Date;
}

/** Requests of one job, whose call this process claims for itself. */
export class PlatformApi {
  /** Proves that requests come from this process, even if a response was lost. */
  private readonly claim = randomBytes(CLAIM_BYTES).toString('base64url');
  private token: string | null = null;

  constructor(
    private readonly access: ApiAccess,
    /** The job's ticket; empty for an inbound call, which has none. */
    private readonly ticket: string,
    /** Null keeps no recordings on disk. */
    private readonly pending: PendingRecordings | null = null,
  ) {}

  async callContext(callId: string): Promise<CallContextResult> {
    const answer = await withRetries(() => this.requestCallContext(callId), { limitMs: CONTEXT_WITHIN_MS });
    if (answer.kind === 'ok')
      return { kind: 'found', callContext: readCallContext(answer.body), access: this.accessToCall() };
    if (answer.kind === 'unavailable') return { kind: 'unavailable' };
    if (answer.status === TAKEN) return { kind: 'taken' };
    return { kind: answer.status === OVER ? 'over' : 'unknown' };
  }

  /** Whether the platform knows that the call is over. Returns false also when it does not answer, and when another agent has the call. */
  async isCallOver(callId: string): Promise<boolean> {
    const answer = await this.requestCallContext(callId);
    return answer.kind === 'rejected' && answer.status !== TAKEN;
  }

  /**
   * Returns the address to transfer the call to, or null when the transfer is not allowed or the API does not answer. Not retried, because
   * each request counts as a transfer.
   */
  async startTransfer(callId: string, to: string): Promise<string | null> {
    const path = callPath(callId, '/transfer');
    const answer = await requestApi(this.accessToCall(), { method: 'POST', path, json: { to } });
    const address =
      answer.kind === 'ok' && valueAt(answer.body, 'transfer') === true ? valueAt(answer.body, 'to') : null;
    return typeof address === 'string' ? address : null;
  }

  /**
   * Returns the secret headers of an action for one request, or null when the API refuses. Each response counts against the call's limit.
   */
  async actionSecrets(callId: string, action: string): Promise<Readonly<Record<string, string>> | null> {
    const request = {
      method: 'POST',
      path: callPath(callId, '/action-secrets'),
      json: { action },
    } as const;
    const ask = () => requestApi(this.accessToCall(), request);
    const answer = await withRetries(ask, { limitMs: SECRETS_WITHIN_MS });
    const headers = answer.kind === 'ok' ? valueAt(answer.body, 'headers') : null;
    if (!isJsonObject(headers)) return null;
    return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)]));
  }

  /** Idempotent, because the room identifies the call. */
  async decideInbound({ roomName, to, from, at }: InboundCall): Promise<InboundDecision> {
    const event = {
      event_id: randomUUID(),
      type: 'inbound',
      carrier_id: roomName,
      to,
      from,
      at: at.toISOString(),
      claim: this.claim,
    };
    const request = { method: 'POST', path: '/api/carrier/callers', json: event } as const;
    const answer = await withRetries(() => requestApi(this.access, request), { limitMs: DECISION_WITHIN_MS });
    if (answer.kind === 'rejected' && answer.status === TAKEN) return { kind: 'taken' };
    if (answer.kind !== 'ok') return { kind: 'unavailable' };
    const reference = valueAt(answer.body, 'reference');
    const say = valueAt(answer.body, 'say');
    if (valueAt(answer.body, 'accept') === true && typeof reference === 'string') {
      this.token = tokenIn(answer.body);
      return { kind: 'accepted', callId: reference };
    }
    return { kind: 'rejected', say: typeof say === 'string' ? say : '' };
  }

  /**
   * `content` returns a new stream of the whole recording for each attempt. `kept` means that it is on disk and the worker uploads it
   * later, `lost` that it is neither stored nor kept.
   */
  async storeRecording(
    callId: string,
    content: () => Readable,
  ): Promise<'stored' | 'kept' | 'refused' | 'lost'> {
    const token = this.token ?? '';
    const kept = (await this.pending?.keep({ callId, token }, content()).catch(() => null)) ?? null;
    const answer = await withRetries(() => uploadRecording(this.accessToCall(), callId, content()), {
      limitMs: kept === null ? UPLOAD_ATTEMPTS_MS : KEPT_UPLOAD_ATTEMPTS_MS,
    });
    if (answer.kind === 'unavailable') return kept === null ? 'lost' : 'kept';
    await kept?.discard();
    return answer.kind === 'ok' ? 'stored' : 'refused';
  }

  /** Claims the call first, if this process has not done so. */
  private async requestCallContext(callId: string): Promise<ApiResult> {
    if (this.token === null) {
      const claim: ApiRequest = {
        method: 'POST',
        path: callPath(callId, '/claim'),
        json: { ticket: this.ticket, claim: this.claim },
      };
      const answer = await requestApi(this.access, claim);
      if (answer.kind !== 'ok') return answer;
      this.token = tokenIn(answer.body);
    }
    return requestApi(this.accessToCall(), { method: 'GET', path: callPath(callId) });
  }

  /** Without a token, the API rejects the request. */
  private accessToCall(): ApiAccess {
    return { ...this.access, secret: this.token ?? '' };
  }
}

function tokenIn(body: unknown): string | null {
  const token = valueAt(body, 'token');
  return typeof token === 'string' ? token : null;
}

/**
 * Asks the API for its deployment's agent name at LiveKit, and waits while the API is unavailable. Throws when the API rejects the request.
 */
export async function deploymentsAgentName(
  { apiUrl, agentSecret }: { apiUrl: string; agentSecret: string },
  log: Pick<Log, 'warn'>,
  triedMs = AGENT_NAME_WITHIN_MS,
): Promise<string> {
  const ask = () =>
    requestApi({ apiUrl, secret: agentSecret }, { method: 'GET', path: '/api/carrier/agent-name' });
  for (;;) {
    const answer = await withRetries(ask, { limitMs: triedMs });
    if (answer.kind === 'ok') return nameIn(answer.body);
    if (answer.kind === 'rejected') {
      throw new Error(
        `The API at API_URL has no name for this agent (status ${answer.status}): set LIVEKIT_AGENT_NAME`,
      );
    }
    log.warn({ status: answer.status }, 'the API does not answer: the agent waits for its name');
  }
}

function nameIn(body: unknown): string {
  const name = valueAt(body, 'agent_name');
  if (typeof name !== 'string' || name === '') throw new Error('The API at API_URL returned no agent name');
  return name;
}
