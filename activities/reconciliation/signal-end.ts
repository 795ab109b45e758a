import { signalWorkflows } from '../../runtime/signal-workflows';
import type { CallStatus } from '../../domain/call-outcome';
import type { Repair } from './repair';

/** To the workflow of a call that is over, and whose line was handed over before. */
export const signalEnd = (
  { signals, log }: Pick<Repair, 'signals' | 'log'>,
  ended: { callId: string; callStatus: CallStatus },
): Promise<void> => signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ended });
