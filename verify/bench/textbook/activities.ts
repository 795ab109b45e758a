/** Has only the external effects of the platform's activities: a carrier request, a webhook, and a trivial step between them. */
import { activityInfo } from '@temporalio/activity';
import { callRequest } from './call-request';
import { post } from '../rival-program';

export interface TextbookActivitySettings {
  carrierUrl: string;
  carrierSecret: string;
  eventsUrl: string;
  webhookUrl: string;
}

export function textbookActivities(settings: TextbookActivitySettings) {
  return {
    dial: (nth: number): Promise<void> =>
      post(
        `${settings.carrierUrl}/calls`,
        callRequest(nth, {
          reference: activityInfo().workflowExecution?.workflowId,
          eventsUrl: settings.eventsUrl,
        }),
        { authorization: `Bearer ${settings.carrierSecret}` },
      ),

    process: (nth: number): Promise<{ summary: string }> =>
      Promise.resolve({ summary: `Call ${nth} talked to its end.` }),

    deliver: (outcome: { summary: string }): Promise<void> =>
      post(settings.webhookUrl, { event: 'call.completed', ...outcome }),
  };
}

export type TextbookActivities = ReturnType<typeof textbookActivities>;
