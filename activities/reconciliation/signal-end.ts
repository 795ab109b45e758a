import { signalWorkflows } from '../../runtime/signal-workflows';
import type { CallStatus } from '../../domain/call-outcome';
import type { Repair } from './repair';

/** Signals the workflow of a call that is over. Its line has already been handed over. */
export const signalEnd = (
  { signals, log }: Pick<Repair, 'signals' | 'log'>,
  ended: { callId: string; callStatus: CallStatus },
): Promise<void> => signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ended });
