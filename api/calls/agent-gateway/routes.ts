/**
 * Endpoints for the voice agent's processes. With the shared secret a process can only claim a call, either with its job's ticket or by
 * reporting a caller. Everything else needs the token that the process then receives for that call.
 */
import Router from '@koa/router';
import Joi from 'joi';
import {
  callToken,
  claimCall,
  holderOf,
  jobOfToken,
  ticketExpiry,
  type AgentClaim,
} from '../../../db/calls/agent-access';
import { storedCallContext } from '../../../db/calls/call-context';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';
import { deploymentId } from '../../../db/reconciliation/deployment';
import { agentWorkerName } from '../../../domain/agent-worker-name';
import { assertNever } from '../../../domain/assert-never';
import type { JsonObject } from '../../../domain/json';
import { RECORDING_LATE_MS } from '../../../domain/recording';
import { CLEANED_FIELDS, eventIn, readEvent, type CarrierEvent } from '../../carriers/http/event';
import type { EventAnswer } from '../../carriers/http/receive-event';
import { AGENT_EVENTS_ROUTE } from '../../carriers/http/routes';
import { callerInRoom } from '../../dependencies/livekit';
import { assertBearer, bearerOf } from '../../http/auth/bearer-secret';
import type { ApiContext, ApiState } from '../../http/context';
import { knownCallId } from '../../http/input/fields';
import { check } from '../../http/schema/validate';
import { nonEmptyText } from '../../http/schema/kinds';
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
import { PLATFORM } from '../../http/input/body-budget';
import { object, typed, type Field } from '../../http/schema/field';
import type { LiveKitSettings } from '../../settings';
import { actionSecrets, presentCallContext, type RuleSettings } from './call-context';
import { takeRecording, type RecordingDependencies } from './take-recording';
import { transferCall, type TransferDependencies } from './transfer-call';

const ACTION = object({ action: nonEmptyText(1_000) });
const TRANSFER = object({ to: nonEmptyText(1_000) });
/** A random value that the process generates for itself, too long to guess. */
const CLAIM = object({
  claim: typed<string>(
    Joi.string()
      .pattern(/^[\w-]{32,128}$/)
      .messages({ 'string.pattern.base': 'must be 32 to 128 characters of base64url' }),
  ),
});

interface AgentGatewayDependencies extends RecordingDependencies {
  settings: TransferDependencies['settings'] &
    RuleSettings & {
      /** If null, all agents are rejected. */
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
    const { claim } = valid(CLAIM, body);
    ctx.body = { token: await claimed(deps, { callId, claim, ticket: ticketIn(deps, callId, body.ticket) }) };
  });

  router.get(CALL, async (ctx) => {
    const stored = await storedCallContext(deps.db, await callOf(deps, ctx));
    if (stored === undefined) throw callNotFound();
    if (stored.isOver) throw callOver();
    ctx.set('Cache-Control', 'no-store');
    ctx.body = presentCallContext(stored, deps.settings);
  });

  router.post(AGENT_EVENTS_ROUTE, async (ctx) => {
    const callId = await callOf(deps, ctx);
    const event = await readEvent(ctx);
    if (event.type === 'inbound' || event.reference !== callId) throw notAuthorised();
    ctx.body = await deps.receive(event);
  });

  router.put(`${CALL}/recording`, async (ctx) => {
    // Accept a late upload, because the agent keeps the recording while the storage is down.
    await takeRecording(deps, ctx, await callOf(deps, ctx, { lateMs: RECORDING_LATE_MS }));
    ctx.status = 204;
  });

  router.post(`${CALL}/transfer`, async (ctx) => {
    const callId = await callOf(deps, ctx);
    const { to } = valid(TRANSFER, await jsonBody(ctx, { maxValues: 10 }));
    ctx.body = await transferCall(deps, callId, to);
  });

  router.post(`${CALL}/action-secrets`, async (ctx) => {
    const callId = await callOf(deps, ctx);
    const { action } = valid(ACTION, await jsonBody(ctx, { maxValues: 10 }));
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { headers: await actionSecrets(deps, callId, action) };
  });

  return router;
}

/**
 * Returns the call that the request's token is for. A token stops working when another job claims the call, or `lateMs` after it expires.
 */
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
      ctx.state.bodyOwner = PLATFORM;
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
 * A caller's job has no ticket, so LiveKit must confirm the caller and both numbers. The first process that reports the room gets the call.
 */
async function takeCaller(deps: AgentGatewayDependencies, ctx: ApiContext): Promise<object> {
  const { claim, ...body } = await jsonBody(ctx, { checkedApart: CLEANED_FIELDS });
  const reported = eventIn(body);
  if (reported.type !== 'inbound') throw notAuthorised();
  const { claim: proof } = valid(CLAIM, { claim });
  const { livekit } = deps.settings;
  if (livekit === null) throw realtimeNotConfigured();
  const numbers = await callerInRoom(livekit, reported.caller.carrierId);
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

function valid<T>(schema: Field<T>, body: JsonObject): T {
  const reading = check(schema, body, 'body');
  if ('faults' in reading) throw invalidInput(reading.faults);
  return reading.value;
}
