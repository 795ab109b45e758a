/** Only what ours do outside: one request to the carrier, one to the client's webhook, a trifle in between. */
import { Agent } from 'node:http';
import { activityInfo } from '@temporalio/activity';
import fetch from 'node-fetch';
import { answeredNumber } from '../contact-file';

export interface TextbookActivitySettings {
  carrierUrl: string;
  carrierSecret: string;
  eventsUrl: string;
  webhookUrl: string;
}

const NOT_AFTER_MS = 3000;
const RING_TIMEOUT_S = 30;
const MAX_TALK_S = 120;

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
        {
          reference: activityInfo().workflowExecution?.workflowId,
          to: `+91${answeredNumber(nth)}`,
          from: null,
          not_after: new Date(Date.now() + NOT_AFTER_MS).toISOString(),
          ring_timeout_s: RING_TIMEOUT_S,
          max_talk_s: MAX_TALK_S,
          amd: false,
          events_url: settings.eventsUrl,
          agent: {
            name: 'Asha',
            greeting: 'Namaste, this is Asha.',
            prompt: '1. Ask "Is this a good time?"',
          },
          variables: {},
        },
        { authorization: `Bearer ${settings.carrierSecret}` },
      ),

    process: (nth: number): Promise<{ summary: string }> =>
      Promise.resolve({ summary: `Call ${nth} talked to its end.` }),

    deliver: (outcome: { summary: string }): Promise<void> =>
      post(settings.webhookUrl, { event: 'call.completed', ...outcome }),
  };
}

export type TextbookActivities = ReturnType<typeof textbookActivities>;
