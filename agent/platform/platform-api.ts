/** The agent's requests to the API. Some belong to the worker, others to one call. */
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
const CONTEXT_TIMEOUT_MS = 15_000;
/** The caller hears the ringing tone until the API decides. */
const DECISION_TIMEOUT_MS = 10_000;
/** The caller waits while the action runs. */
const SECRETS_TIMEOUT_MS = 3_000;
const UPLOAD_ATTEMPTS_MS = 10 * 60_000;
/** Limit for uploading a recording that the worker can upload later. */
const KEPT_UPLOAD_ATTEMPTS_MS = 60_000;
const CLAIM_BYTES = 32;
const TAKEN = 409;
const OVER = 410;
const AGENT_NAME_TIMEOUT_MS = 15_000;

type CallContextResult =
  /** `access` only permits requests for this call. */
  | { kind: 'found'; callContext: CallContext; access: ApiAccess }
  /** Another agent handles the call, so this agent must not touch its room. */
  | { kind: 'taken' }
  | { kind: 'over' }
  | { kind: 'unknown' }
  | { kind: 'unavailable' };

type InboundDecision =
  | { kind: 'accepted'; callId: string }
  | { kind: 'rejected'; say: string }
  /** Another agent handles the call, so this agent must not touch its room. */
  | { kind: 'taken' }
  /** The API did not decide in time. */
  | { kind: 'unavailable' };

interface InboundCall {
  roomName: string;
  /** The number that was called. */
  to: string;
  /** Empty when the caller withholds their number. */
  from: string;
  at: Date;
}

/** Sends the requests of one job. This process claims the job's call, so that no other process can handle it. */
export class PlatformApi {
  /** Identifies this process when it repeats a claim whose response was lost. */
  private readonly claim = randomBytes(CLAIM_BYTES).toString('base64url');
  private token: string | null = null;

  constructor(
    private readonly access: ApiAccess,
    /** The job's ticket. Empty for an inbound call, because its job has no ticket. */
    private readonly ticket: string,
    /** Null keeps no recordings on disk. */
    private readonly pending: PendingRecordings | null = null,
  ) {}

  async callContext(callId: string): Promise<CallContextResult> {
    const answer = await withRetries(() => this.requestCallContext(callId), { limitMs: CONTEXT_TIMEOUT_MS });
    if (answer.kind === 'ok')
      return { kind: 'found', callContext: readCallContext(answer.body), access: this.accessToCall() };
    if (answer.kind === 'unavailable') return { kind: 'unavailable' };
    if (answer.status === TAKEN) return { kind: 'taken' };
    return { kind: answer.status === OVER ? 'over' : 'unknown' };
  }

  /**
   * Returns true if the platform knows that the call is over. Returns false if the platform doesn't respond or another agent has the call.
   */
  async isCallOver(callId: string): Promise<boolean> {
    const answer = await this.requestCallContext(callId);
    return answer.kind === 'rejected' && answer.status !== TAKEN;
  }

  /**
   * Returns the address to transfer the call to, or null if the transfer is not allowed or the API doesn't respond. Never retries, because
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
   * Returns the secret headers for one request of an action, or null when the API rejects the request. The API limits how often a call can
   * fetch them.
   */
  async actionSecrets(callId: string, action: string): Promise<Readonly<Record<string, string>> | null> {
    const request = {
      method: 'POST',
      path: callPath(callId, '/action-secrets'),
      json: { action },
    } as const;
    const ask = () => requestApi(this.accessToCall(), request);
    const answer = await withRetries(ask, { limitMs: SECRETS_TIMEOUT_MS });
    const headers = answer.kind === 'ok' ? valueAt(answer.body, 'headers') : null;
    if (!isJsonObject(headers)) return null;
    return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)]));
  }

  /** Idempotent, because the room name identifies the call. */
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
    const answer = await withRetries(() => requestApi(this.access, request), {
      limitMs: DECISION_TIMEOUT_MS,
    });
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
   * `content` returns a new stream of the whole recording for each attempt. The result `kept` means that the recording is on disk and the
   * worker uploads it later; `lost` means that it is gone.
   */
  async storeRecording(
    callId: string,
    content: () => Readable,
  ): Promise<'stored' | 'kept' | 'rejected' | 'lost'> {
    const token = this.token ?? '';
    const kept = (await this.pending?.keep({ callId, token }, content()).catch(() => null)) ?? null;
    const answer = await withRetries(() => uploadRecording(this.accessToCall(), callId, content()), {
      limitMs: kept === null ? UPLOAD_ATTEMPTS_MS : KEPT_UPLOAD_ATTEMPTS_MS,
    });
    if (answer.kind === 'unavailable') return kept === null ? 'lost' : 'kept';
    await kept?.discard();
    return answer.kind === 'ok' ? 'stored' : 'rejected';
  }

  /** Claims the call first unless this process has already claimed it. */
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

  /** The API rejects requests without a token. */
  private accessToCall(): ApiAccess {
    return { ...this.access, secret: this.token ?? '' };
  }
}

function tokenIn(body: unknown): string | null {
  const token = valueAt(body, 'token');
  return typeof token === 'string' ? token : null;
}

/**
 * Fetches the deployment's LiveKit agent name from the API, and waits while the API is unavailable. Throws when the API rejects the
 * request.
 */
export async function deploymentsAgentName(
  { apiUrl, agentSecret }: { apiUrl: string; agentSecret: string },
  log: Pick<Log, 'warn'>,
  triedMs = AGENT_NAME_TIMEOUT_MS,
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
    log.warn({ status: answer.status }, "waiting for the agent's name, because the API isn't responding");
  }
}

function nameIn(body: unknown): string {
  const name = valueAt(body, 'agent_name');
  if (typeof name !== 'string' || name === '') throw new Error('The API at API_URL returned no agent name');
  return name;
}
