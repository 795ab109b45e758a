/** Only what ours do outside: one request to the carrier, one to the client's webhook, a trifle in between. */
import { Agent } from 'node:http';
import { activityInfo } from '@temporalio/activity';
import fetch from 'node-fetch';
import { callRequest } from '../call-request';

export interface TextbookActivitySettings {
  carrierUrl: string;
  carrierSecret: string;
  eventsUrl: string;
  webhookUrl: string;
}

export function textbookActivities(settings: TextbookActivitySettings) {
  const agent = new Agent({ keepAlive: true });

  async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    await response.text();
    if (!response.ok) throw new Error(`answered ${response.status}`);
  }

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
