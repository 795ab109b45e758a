import {
  recordStarted,
  unconfirmedCallers,
  unstartedCallers,
  type UnstartedCaller,
} from '../../db/calls/inbound-calls';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { WORKFLOW_TYPES, workflowId, type CallInput } from '../../workflows/contract';
import { endedAt } from '../../domain/call-end';
import { inboundDeadlineMs } from '../../domain/inbound-call';
import { callSummary } from '../../workflows/workflow-metadata';
import { endCallAs } from '../ending/call-ending';
import { CarrierUnreachable } from '../telephony/port';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { CALLER_UNCONFIRMED_MS } from './lateness';

/** Starts the workflows of accepted callers that have none, because Temporal was unreachable or the API died. */
export async function repairCallers(repair: Repair): Promise<void> {
  const { db, clock, lateness } = repair;
  await eachOf(repair, await unstartedCallers(db, clock() - lateness.lostMessageMs), (call) =>
    repairCaller(repair, call),
  );
}

async function repairCaller(
  { db, workflows }: Repair,
  { callId, organizationId, agentId, config, isOver }: UnstartedCaller,
): Promise<void> {
  const id = workflowId.call(callId);
  // Other passes process a call that is over and hang up a call whose workflow an operator ended.
  if (!isOver && (await workflows.state(id)) === 'missing') {
    const placed = { deadlineMs: inboundDeadlineMs(config) };
    const input: CallInput = { callId, organizationId, agentId, placed };
    await workflows.startOnce(WORKFLOW_TYPES.call, id, input, { owner: input, summary: callSummary(input) });
  }
  await recordStarted(db, callId);
}

/** Ends accepted callers that the carrier does not have. It never received our acceptance, and they have hung up. */
export async function repairUnconfirmedCallers(repair: Repair): Promise<void> {
  const { db, clock } = repair;
  await eachOf(repair, await unconfirmedCallers(db, clock() - CALLER_UNCONFIRMED_MS), (callId) =>
    endIfGone(repair, callId),
  );
}

async function endIfGone(repair: Repair, callId: string): Promise<void> {
  const { telephony, signals, log, clock } = repair;
  try {
    if ((await telephony.find(callId)).calls.length > 0) return;
  } catch (error) {
    if (error instanceof CarrierUnreachable) return;
    throw error;
  }
  const callStatus = await endCallAs(repair, callId, endedAt(clock(), 'no_answer'), clock());
  await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ended: { callId, callStatus } });
}
