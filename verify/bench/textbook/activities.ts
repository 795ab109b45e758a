/** Only what ours do outside: one request to the carrier, one to the client's webhook, a trifle in between. */
import { activityInfo } from '@temporalio/activity';
import { callRequest } from '../call-request';
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
