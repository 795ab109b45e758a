/** What is made of a call once it is over: its findings, its record, and its webhook with the first attempt. */
import { ActivityFailure, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Attended } from '../activities/ending/attending';
import type { Conclusion } from '../activities/ending/concluding';
import { callRecord } from './activity-proxies';
import { showProgress, type Call } from './call-state';

export type Over = Extract<Attended, { kind: 'over' }>;

/**
 * A language model takes seconds, and may be away for minutes: asked after 2, 4, 8 … seconds and then every minute, until the time is over.
 * What it refuses for good is not asked again. A worker that dies with it shows by its heartbeat.
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
  summary: 'a language model reads what was said',
});

/** By rules at once, or by a language model where one is configured and somebody spoke: then nobody is notified before it has answered. */
export async function processCall(call: Call, over: Over): Promise<Omit<Conclusion, 'toAnalyse'>> {
  const { callId } = call.input;
  if (!over.toAnalyse) return over;
  showProgress(call, `ended: ${over.callStatus}; a language model reads what was said`);
  try {
    await conversationAnalysis.analyseCall({ callId });
  } catch (error) {
    // It did not answer in time, or never will: the call is concluded by rules.
    if (!(error instanceof ActivityFailure)) throw error;
  }
  return callRecord.concludeCall({ callId, mayAnalyse: false, now: Date.now() });
}
