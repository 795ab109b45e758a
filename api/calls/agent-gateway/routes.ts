/**
 * What the agent's processes request and report. With the secret that they share a process only names what it wants: a call by the ticket of
 * its job, or a caller. Everything else takes the token that it is given for that one call.
 */
import Router from '@koa/router';
import {
  callToken,
  claimCall,
  holderOf,
  jobOfToken,
  ticketExpiry,
  type AgentClaim,
} from '../../../db/calls/agent-access';
import { storedBrief } from '../../../db/calls/brief';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import { deploymentId } from '../../../db/reconciliation/deployment';
import { agentWorkerName } from '../../../domain/agent-worker-name';
import { assertNever } from '../../../domain/assert-never';
import { RECORDING_LATE_MS } from '../../../domain/recording';
import type { CarrierEvent } from '../../carriers/http/event';
import { AGENT_EVENTS_ROUTE } from '../../carriers/http/path';
import { CLEANED_FIELDS, eventIn, readEvent } from '../../carriers/http/read-event';
import type { EventAnswer } from '../../carriers/http/receive-event';
import { assertBearer, bearerOf } from '../../http/auth/bearer-secret';
import type { ApiContext, ApiState } from '../../http/endpoint';
import {
  callerNotFound,
  callNotFound,
  callOver,
  callTaken,
  invalidInput,
  notAuthorised,
  realtimeNotConfigured,
} from '../../http/errors/refusals';
import { ownedByPlatform } from '../../http/input/within-budget';
import { jsonBody } from '../../http/input/json-body';
import { knownCallId } from '../../http/input/path';
import { check } from '../../http/input/validate';
import type { LiveKitSettings } from '../../settings';
import { object } from '../../http/schema/field';
import { nonEmptyText } from '../../http/schema/kinds';
import { callerInRoom } from '../rooms-of-livekit';
import { actionSecrets } from './action-secrets';
import { presentBrief } from './present-brief';
import { takeRecording, type RecordingDependencies } from './take-recording';
import { transferCall, type TransferDependencies } from './transfer-call';

const ACTION = object({ action: nonEmptyText(1_000) });
const TRANSFER = object({ to: nonEmptyText(1_000) });

export interface AgentGatewayDependencies extends RecordingDependencies {
  settings: TransferDependencies['settings'] & {
    /** Null where no agent is let in. */
    agentSecret: string | null;
    /** Null where no LiveKit is configured, and so no caller of an agent. */
    livekit: LiveKitSettings | null;
    ringTimeoutS: number;
    secretsKeys: SecretsKeys;
  };
  /** Shared with whatever else reports the same calls. */
  receive: (event: CarrierEvent) => Promise<EventAnswer>;
}

const CALL = '/api/carrier/calls/:call_id';

/** Made by the process for itself, so long that nobody guesses it. */
const CLAIM = /^[\w-]{32,128}$/;

export function agentGatewayRoutes(deps: AgentGatewayDependencies): Router<ApiState> {
  const { agentSecret } = deps.settings;
  const deployment = deploymentId(deps.db);
  const router = new Router<ApiState>({ sensitive: true });

  // By which an agent that was given no name registers at LiveKit.
  router.get('/api/carrier/agent-name', async (ctx) => {
    assertBearer(ctx, agentSecret);
    ctx.body = { agent_name: agentWorkerName(await deployment()) };
  });

  router.post('/api/carrier/callers', async (ctx) => {
    assertBearer(ctx, agentSecret);
    ctx.body = await takeCaller(deps, ctx);
  });

  router.post(`${CALL}/claim`, async (ctx) => {
    assertBearer(ctx, agentSecret);
    const callId = knownCallId(ctx.params.call_id ?? '');
    const body = await jsonBody(ctx);
    const claim = claimIn(body.claim);
    ctx.body = { token: await claimed(deps, { callId, claim, ticket: ticketIn(deps, callId, body.ticket) }) };
  });

  router.get(CALL, async (ctx) => {
    const stored = await storedBrief(deps.db, await callOf(deps, ctx));
    if (stored === undefined) throw callNotFound();
    if (stored.isOver) throw callOver();
    ctx.set('Cache-Control', 'no-store');
    ctx.body = presentBrief(stored, deps.settings);
  });

  router.post(AGENT_EVENTS_ROUTE, async (ctx) => {
    const callId = await callOf(deps, ctx);
    const event = await readEvent(ctx);
    if (event.type === 'inbound' || event.reference !== callId) throw notAuthorised();
    ctx.body = await deps.receive(event);
  });

  router.put(`${CALL}/recording`, async (ctx) => {
    // The agent may have waited with it for a storage that was away.
    await takeRecording(deps, ctx, await callOf(deps, ctx, { lateMs: RECORDING_LATE_MS }));
    ctx.status = 204;
  });

  router.post(`${CALL}/transfer`, async (ctx) => {
    const callId = await callOf(deps, ctx);
    const request = check(TRANSFER, await jsonBody(ctx, { mostValues: 10 }), 'body');
    if ('faults' in request) throw invalidInput(request.faults);
    ctx.body = await transferCall(deps, callId, request.value.to);
  });

  router.post(`${CALL}/action-secrets`, async (ctx) => {
    const callId = await callOf(deps, ctx);
    const request = check(ACTION, await jsonBody(ctx, { mostValues: 10 }), 'body');
    if ('faults' in request) throw invalidInput(request.faults);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { headers: await actionSecrets(deps, callId, request.value.action) };
  });

  return router;
}

/** The call that the token of the request opens: until another job has claimed it, and `lateMs` beyond the token's time. */
async function callOf(
  { db, settings, clock }: AgentGatewayDependencies,
  ctx: ApiContext,
  { lateMs } = { lateMs: 0 },
): Promise<string> {
  const callId = knownCallId(ctx.params.call_id ?? '');
  const job = jobOfToken(settings.secretsKeys, { callId, token: bearerOf(ctx) }, clock.now() - lateMs);
  if (job === null) throw notAuthorised();
  const holder = await holderOf(db, job);
  switch (holder) {
    case 'job':
      ownedByPlatform(ctx);
      return callId;
    case 'newer job':
      throw callTaken();
    case 'unknown':
      throw callNotFound();
    default:
      return assertNever(holder);
  }
}

/**
 * A caller's job has no ticket, so LiveKit must confirm the caller and their numbers. The first process that announces the room gets the
 * call.
 */
async function takeCaller(deps: AgentGatewayDependencies, ctx: ApiContext): Promise<object> {
  const { claim, ...body } = await jsonBody(ctx, { checkedApart: CLEANED_FIELDS });
  const announced = eventIn(body);
  if (announced.type !== 'inbound') throw notAuthorised();
  const proof = claimIn(claim);
  const { livekit } = deps.settings;
  if (livekit === null) throw realtimeNotConfigured();
  const numbers = await callerInRoom(livekit, announced.caller.carrierId);
  if (numbers === null) throw callerNotFound();
  const answer = await deps.receive(eventIn({ ...body, ...numbers }));
  if (!('reference' in answer)) return answer;
  return { ...answer, token: await claimed(deps, { callId: answer.reference, claim: proof, ticket: 0 }) };
}

/** The call's token, for who claims it first. */
async function claimed(
  { db, settings, clock }: AgentGatewayDependencies,
  claim: AgentClaim,
): Promise<string> {
  const kind = await claimCall(db, claim);
  switch (kind) {
    case 'claimed':
      return callToken(settings.secretsKeys, claim, clock.now());
    case 'taken':
      throw callTaken();
    case 'over':
      throw callOver();
    case 'unknown':
      throw callNotFound();
    default:
      return assertNever(kind);
  }
}

function ticketIn({ settings, clock }: AgentGatewayDependencies, callId: string, given: unknown): number {
  const ticket = typeof given === 'string' ? given : '';
  const expiry = ticketExpiry(settings.secretsKeys, { callId, ticket }, clock.now());
  if (expiry === null) throw notAuthorised();
  return expiry;
}

function claimIn(given: unknown): string {
  if (typeof given === 'string' && CLAIM.test(given)) return given;
  const msg = 'must be 32 to 128 characters of base64url';
  throw invalidInput([{ loc: ['body', 'claim'], msg, type: 'string.pattern.base' }]);
}
