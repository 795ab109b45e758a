/** Processes a call that is over: analysis, record, webhook and the first delivery attempt. */
import { ActivityFailure, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Attended } from '../activities/ending/attending';
import type { Conclusion } from '../activities/ending/concluding';
import { callRecord } from './activity-proxies';
import { showProgress, type Call } from './call-state';

export type Over = Extract<Attended, { kind: 'over' }>;

/**
 * A language model takes seconds and may be unavailable for minutes, so the interval between attempts grows from 2 s to a minute. The heartbeat
 * shows when the worker has died.
 */
const conversationAnalysis = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '20m',
  retry: {
    initialInterval: '2s',
    backoffCoefficient: 2,
    maximumInterval: '1m',
    nonRetryableErrorTypes: ['ModelRefused', 'AnswerInvalid'],
  },
  summary: 'a language model analyses the transcript',
});

/** Applies the built-in rules, or waits for a language model if one is configured and the user spoke. The webhook is sent afterwards. */
export async function processCall(call: Call, over: Over): Promise<Omit<Conclusion, 'toAnalyse'>> {
  const { callId } = call.input;
  if (!over.toAnalyse) return over;
  showProgress(call, `ended: ${over.callStatus}; a language model analyses the transcript`);
  try {
    await conversationAnalysis.analyseCall({ callId });
  } catch (error) {
    // The model failed or took too long, so the built-in rules must do.
    if (!(error instanceof ActivityFailure)) throw error;
  }
  return callRecord.concludeCall({ callId, now: Date.now() });
}
