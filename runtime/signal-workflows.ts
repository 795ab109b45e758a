/** Signals workflows after a transaction has changed their rows. Used by the API and by activities, never by workflow code. */
import { WorkflowNotFoundError } from '@temporalio/common';
import {
  callEndedSignal,
  hangUpSignal,
  lineGrantedSignal,
  recheckSignal,
  refillSignal,
  workflowId,
} from '../workflows/contract';
import type { CallStatus } from '../domain/call-outcome';

/** The methods of a Temporal client that this file uses. */
export interface SignalSender {
  getHandle(id: string): { signal(name: string, ...args: unknown[]): Promise<void> };
  /** Has calls dialled that have just got a line. If absent, their workflows are signalled. Never throws. */
  dial?(callIds: readonly string[]): void;
}

export interface SignalLog {
  warn(fields: Record<string, unknown>, sentence: string): void;
}

/** The workflows to signal after a transaction. */
export interface WorkflowSignals {
  granted: string[];
  refillCampaignId: string | null;
  ended?: { callId: string; callStatus: CallStatus };
  /** A call that a person wants to end and that may be at the carrier. */
  toHangUp?: string;
  /** A call whose next step is long overdue. */
  toRecheck?: string;
}

/**
 * Never throws, because the decision is in Postgres and reconciliation repeats a lost signal. Signals granted lines first, because a line
 * is idle until its call dials.
 */
export async function signalWorkflows(
  client: SignalSender,
  log: SignalLog,
  { granted, refillCampaignId, ended, toHangUp, toRecheck }: WorkflowSignals,
): Promise<void> {
  const send = async (id: string, signal: string, ...args: unknown[]) => {
    try {
      await client.getHandle(id).signal(signal, ...args);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return;
      log.warn(
        { workflow_id: id, signal, error: error instanceof Error ? error.name : 'unknown' },
        'signal not sent',
      );
    }
  };
  if (granted.length > 0 && client.dial) client.dial(granted);
  else await Promise.all(granted.map((callId) => send(workflowId.call(callId), lineGrantedSignal.name)));
  await Promise.all([
    ended && send(workflowId.call(ended.callId), callEndedSignal.name, { callStatus: ended.callStatus }),
    toHangUp !== undefined && send(workflowId.call(toHangUp), hangUpSignal.name),
    toRecheck !== undefined && send(workflowId.call(toRecheck), recheckSignal.name),
    refillCampaignId !== null && send(workflowId.campaign(refillCampaignId), refillSignal.name),
  ]);
}
