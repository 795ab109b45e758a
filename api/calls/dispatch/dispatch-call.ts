import { randomBytes } from 'node:crypto';
import { findAgent } from '../../../db/agents/agents';
import {
  BROWSER_USER,
  insertDispatchedCall,
  insertDispatchedSession,
  isPastSpend,
  outboundCallId,
  withdrawDispatchedCall,
} from '../../../db/calls/dispatched-calls';
import { findCall, type RecordedCall } from '../../../db/calls/history';
import type { Organization } from '../../../db/organizations/organizations';
import { AgentSecrets, misdirectedByDispatch } from '../../agents/config/secrets';
import { assertMayDialFrom } from '../../agents/number-to-call-from';
import type { ApiDependencies } from '../../dependencies';
import { livekit } from '../../dependencies/livekit';
import type { ApiClient } from '../../http/auth/api-key';
import {
  agentNotFound,
  invalidInput,
  realtimeNotConfigured,
  spendLimitReached,
} from '../../http/errors/refusals';
import type { LiveKitSettings } from '../../settings';
import type { RequestedDispatch } from './schema';

export type Dispatched =
  { medium: 'telephony'; callId: string; agentName: string } | ({ medium: 'webrtc' } & BrowserSession);

/** Id of the call and its workflow. Also the carrier's reference or the room's name. */
export const newDispatchId = ({ medium }: RequestedDispatch, now: number): string =>
  medium === 'webrtc' ? newRoomName(now) : outboundCallId(now);

/**
 * Inserts the row, then starts the workflow, which waits for a line. If the workflow can't be started, the row is withdrawn. If `callId`
 * already exists, throws a unique violation and changes nothing.
 */
export async function dispatchCall(...dispatch: Parameters<typeof dispatchAsRead>): Promise<Dispatched> {
  let dispatched: Dispatched | 'version_removed';
  // A version is removed only after fifty further changes of the agent, so this rarely repeats.
  do dispatched = await dispatchAsRead(...dispatch);
  while (dispatched === 'version_removed');
  return dispatched;
}

/** Reads the agent once, so that the call runs with the version that was checked. */
async function dispatchAsRead(
  deps: ApiDependencies,
  request: RequestedDispatch,
  organization: ApiClient,
  callId: string,
): Promise<Dispatched | 'version_removed'> {
  const agent = await findAgent(deps.db, organization.id, request.agentIdOrName);
  if (agent === undefined) throw agentNotFound();
  const misdirected = misdirectedByDispatch(agent.config, request.modifyAgent ?? {});
  if (misdirected.length > 0) throw invalidInput(misdirected);
  await assertWithinSpend(deps, organization);
  const call = {
    callId,
    organizationId: organization.id,
    agentId: agent.id,
    agentVersion: agent.version,
    metadata: request.metadata,
    modifyAgent:
      request.modifyAgent &&
      new AgentSecrets({ ...deps.settings, organizationId: organization.id }).seal(request.modifyAgent),
    xAgentId: request.xAgentId,
    actor: organization.actor,
    now: deps.clock.now(),
  };
  const made = { medium: request.medium, callId, agentName: agent.displayName };
  if (request.medium === 'webrtc') {
    // Create the session first. If there is no media server, no row may be inserted.
    const session = await answerOf(deps, made);
    const inserted = await insertDispatchedSession(deps.db, { ...call, session: request.session });
    if (inserted === 'version_removed') return inserted;
    await startOrWithdraw(deps, call);
    return session;
  }
  await assertMayDialFrom(deps, agent, request.outboundNumber);
  const inserted = await insertDispatchedCall(deps.db, {
    ...call,
    name: request.name,
    fromNumber: request.outboundNumber,
    toNumber: request.toNumber,
    voice: request.voice,
    dndCheckSkipped: request.dndCheckSkipped,
  });
  if (inserted === 'version_removed') return inserted;
  await startOrWithdraw(deps, call);
  return answerOf(deps, made);
}

/** Skips the query if no spend limit applies. */
async function assertWithinSpend(
  { db, clock, settings }: ApiDependencies,
  organization: ApiClient,
): Promise<void> {
  const configured = settings.spendPerDay.perOrganization;
  if ((organization.spendPerDay ?? configured) === 0) return;
  if (await isPastSpend(db, organization.id, { configured, now: clock.now() })) throw spendLimitReached();
}

/** Finds the call of an earlier request whose response was lost. If the call has no workflow, reconciliation starts one. */
export async function findDispatched(
  deps: ApiDependencies,
  organization: Organization,
  callId: string,
): Promise<Dispatched | undefined> {
  const call = await findCall(deps.db, callId, organization.id);
  return call && answerOf(deps, call);
}

/** Creates a new token for a session, because tokens aren't stored. */
async function answerOf(
  { settings }: Pick<ApiDependencies, 'settings'>,
  { medium, callId, agentName }: Pick<RecordedCall, 'medium' | 'callId' | 'agentName'>,
): Promise<Dispatched> {
  if (medium === 'telephony') return { medium, callId, agentName };
  if (settings.livekit === null) throw realtimeNotConfigured();
  const waitLimitMs = settings.dispatchWaitLimitMs;
  const session = await browserSession(settings.livekit, { roomName: callId, agentName, waitLimitMs });
  return { medium, ...session };
}

/** If the response to the start was lost but the row shows that the call started, the call continues and the request succeeds. */
async function startOrWithdraw(
  deps: ApiDependencies,
  { callId, organizationId, agentId }: { callId: string; organizationId: string; agentId: string },
): Promise<void> {
  const waitLimitMs = deps.settings.dispatchWaitLimitMs;
  try {
    await deps.temporal.startCall({ callId, organizationId, agentId, waitLimitMs });
  } catch (error) {
    if (await withdrawDispatchedCall(deps.db, callId)) throw error;
    deps.log.warn({ call_id: callId }, 'call started although the response to its start was lost');
  }
}

const RANDOM_BYTES = 16;
/** Longest configurable call, plus the time that a person has to join. */
const LONGEST_SESSION_MS = 72 * 60_000;

interface BrowserSession {
  token: string;
  roomName: string;
  agentName: string;
  /** URL that the browser connects to. */
  connectionUrl: string;
}

/** Also the call's id. Like all call ids it contains the second of its creation, which is used to find old calls. */
export const newRoomName = (now: number): string =>
  `room_${Math.floor(now / 1000)}-${randomBytes(RANDOM_BYTES).toString('hex')}`;

/**
 * Creates a token with which one person can join one room, speak and listen. It is valid for the longest wait and call, so that a browser
 * that lost its connection can rejoin. The agent joins once the call has a line.
 */
async function browserSession(
  { publicUrl, apiKey, apiSecret }: LiveKitSettings,
  { roomName, agentName, waitLimitMs }: { roomName: string; agentName: string; waitLimitMs: number },
): Promise<BrowserSession> {
  const ttl = Math.ceil((waitLimitMs + LONGEST_SESSION_MS) / 1000);
  const token = new (livekit().AccessToken)(apiKey, apiSecret, { identity: BROWSER_USER, ttl });
  token.addGrant({
    roomJoin: true,
    room: roomName,
    canPublish: true,
    canSubscribe: true,
    canPublishData: true,
  });
  return {
    token: await token.toJwt(),
    roomName,
    agentName,
    connectionUrl: publicUrl.replace(/^http/, 'ws'),
  };
}
