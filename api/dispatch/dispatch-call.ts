import { findAgent, type Agent } from '../../db/agents';
import type { Client } from '../../db/clients';
import {
  insertDispatchedCall,
  outboundCallId,
  withdrawDispatchedCall,
  type DispatchedCall,
} from '../../db/dispatched-calls';
import { outboundNumbers } from '../../workflows/domain/agent-config';
import type { ApiDependencies } from '../dependencies';
import { agentNotFound, outboundNumberNotAllowed, realtimeNotConfigured } from '../errors/refusals';
import type { DispatchRequest } from './dispatch-body';

const E164 = /^\+[1-9]\d{6,14}$/;

export interface Dispatched {
  callId: string;
  agentName: string;
}

/** The row first, then the workflow, which waits for a line. A workflow that cannot be started takes the row with it. */
export async function dispatchCall(
  deps: ApiDependencies,
  request: DispatchRequest,
  client: Client,
): Promise<Dispatched> {
  const agent = await findAgent(deps.db, client.id, request.agentIdOrName);
  if (agent === undefined) throw agentNotFound();
  if (request.medium === 'webrtc') throw realtimeNotConfigured();
  assertMayDialFrom(agent, request.outboundNumber);
  const now = deps.clock.now();
  const call: DispatchedCall = {
    callId: outboundCallId(now),
    clientId: client.id,
    agentId: agent.id,
    agentVersion: agent.version,
    name: request.name,
    fromNumber: request.outboundNumber,
    toNumber: request.contactE164,
    metadata: request.metadata,
    modifyAgent: request.modifyAgent,
    xAgentId: request.xAgentId,
    voice: request.voice,
    dndCheckSkipped: request.dndCheckSkipped,
    now,
  };
  await insertDispatchedCall(deps.db, call);
  await startOrWithdraw(deps, call);
  return { callId: call.callId, agentName: agent.displayName };
}

function assertMayDialFrom(agent: Agent, outboundNumber: string | null): void {
  if (outboundNumber === null) return;
  const allowed = outboundNumbers(agent.config);
  const isAllowed = allowed.length === 0 ? E164.test(outboundNumber) : allowed.includes(outboundNumber);
  if (!isAllowed) throw outboundNumberNotAllowed();
}

/** A start whose answer was lost may have happened; if the row shows that it did, the call goes on and is answered as such. */
async function startOrWithdraw(deps: ApiDependencies, call: DispatchedCall): Promise<void> {
  const { callId, clientId, agentId } = call;
  const waitLimitMs = deps.settings.dispatchWaitLimitMs;
  try {
    await deps.temporal.startCall({ callId, clientId, agentId, waitLimitMs });
  } catch (error) {
    if (await withdrawDispatchedCall(deps.db, callId)) throw error;
    deps.log.warn({ callId }, 'call goes on although the answer to its start was lost');
  }
}
