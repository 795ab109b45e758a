import { signalWorkflows } from '../../runtime/signal-workflows';
import { LONG_WAIT_MS } from './lateness';
import type { Repair } from './repair';

/**
 * Lets the workflow of a call ask for its next step once that is long overdue: a timer that fires while a workflow task times out may wake
 * nobody, as the SDK answers the next task as if it had not. One that is only slow takes one step too many.
 */
export async function lookAgainIfLate(
  { signals, log, clock }: Pick<Repair, 'signals' | 'log' | 'clock'>,
  callId: string,
  dueAt: Date,
): Promise<void> {
  if (clock() - dueAt.getTime() > LONG_WAIT_MS)
    await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, toLookAgain: callId });
}
