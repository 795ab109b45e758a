import { callEvent, type CallEventSource, type EventDraft } from '../../../domain/webhook-events';
import { START } from './engine-database';

/** Returns the webhook event of an answered call. */
export function completedDraft(source: Partial<CallEventSource> & { callId: string }): EventDraft {
  const call: CallEventSource = {
    campaignId: 'campaign',
    campaignName: 'November reminders',
    contactName: 'Contact 2',
    toNumber: '+91',
    callStatus: 'completed',
    endReason: 'agent',
    durationMs: 60_000,
    attempt: 1,
    maxAttempts: 3,
    willRetry: false,
    nextAttemptAt: null,
    outcome: null,
    tags: [],
    transcript: 'USER: Yes.',
    summary: 'They talked.',
    isCallback: false,
    doNotCall: false,
    ...source,
  };
  return callEvent('call.completed', call, START);
}
