/**
 * Endpoints for the voice agent's processes. The shared secret only lets a process claim a call, by its job's ticket or as a caller.
 * Everything else needs the token that it then receives for that call.
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
import { CLEANED_FIELDS, eventIn, readEvent, type CarrierEvent } from '../../carriers/http/event';
import type { EventAnswer } from '../../carriers/http/receive-event';
import { AGENT_EVENTS_ROUTE } from '../../carriers/http/routes';
import { callerInRoom } from '../../dependencies/livekit';
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
import { jsonBody } from '../../http/input/json-body';
import { knownCallId } from '../../http/input/path';
import { check } from '../../http/input/validate';
import { ownedByPlatform } from '../../http/input/within-budget';
import { object } from '../../http/schema/field';
import { nonEmptyText } from '../../http/schema/kinds';
import type { LiveKitSettings } from '../../settings';
import { actionSecrets, presentBrief } from './brief';
import { takeRecording, type RecordingDependencies } from './take-recording';
import { transferCall, type TransferDependencies } from './transfer-call';

const ACTION = object({ action: nonEmptyText(1_000) });
const TRANSFER = object({ to: nonEmptyText(1_000) });

export interface AgentGatewayDependencies extends RecordingDependencies {
  settings: TransferDependencies['settings'] & {
    /** Null rejects all agents. */
    agentSecret: string | null;
    /** Null if LiveKit isn't configured, so agents can't take callers. */
    livekit: LiveKitSettings | null;
    ringTimeoutS: number;
    secretsKeys: SecretsKeys;
  };
  /** Shared with all other sources of call events. */
  receive: (event: CarrierEvent) => Promise<EventAnswer>;
}

const CALL = '/api/carrier/calls/:call_id';

/** A random value that the process generates for itself, too long to guess. */
const CLAIM = /^[\w-]{32,128}$/;

export function agentGatewayRoutes(deps: AgentGatewayDependencies): Router<ApiState> {
  const { agentSecret } = deps.settings;
  const deployment = deploymentId(deps.db);
  const router = new Router<ApiState>({ sensitive: true });

  // An agent without a configured name registers at LiveKit under this one.
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
    // The agent may have held the recording back while the storage was down.
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

/** Returns the call that the request's token opens. A token ends when another job claims the call, or `lateMs` after its expiry. */
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
 * A caller's job has no ticket, so LiveKit must confirm the caller and both numbers. The first process that announces the room gets the
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

/** Returns the call's token to the first process that claims it. */
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
