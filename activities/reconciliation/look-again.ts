import { signalWorkflows } from '../../runtime/signal-workflows';
import { LONG_WAIT_MS } from './lateness';
import type { Repair } from './repair';

/**
 * Signals a call's workflow to run its next step if that is long overdue, because the SDK may miss a timer that fires while a workflow task times
 * out. For a slow workflow, the signal causes one superfluous step.
 */
export async function lookAgainIfLate(
  { signals, log, clock }: Pick<Repair, 'signals' | 'log' | 'clock'>,
  callId: string,
  dueAt: Date,
): Promise<void> {
  if (clock() - dueAt.getTime() > LONG_WAIT_MS)
    await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, toLookAgain: callId });
}
