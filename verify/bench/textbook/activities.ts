/** Has only the external effects of the platform's activities: a carrier request, a webhook, and a trivial step between them. */
import { activityInfo } from '@temporalio/activity';
import { dial, sendWebhook } from '../beside/rival-program';

/** Returns the id of the call's workflow, which the carrier gets as its reference. */
const callId = (): string => activityInfo().workflowExecution?.workflowId ?? '';

export const textbookActivities = {
  dial: (nth: number): Promise<void> => dial(nth, callId()),

  process: (nth: number): Promise<{ summary: string }> =>
    Promise.resolve({ summary: `Call ${nth} talked to its end.` }),

  deliver: ({ summary }: { summary: string }): Promise<void> => sendWebhook(callId(), summary),
};

export type TextbookActivities = typeof textbookActivities;
