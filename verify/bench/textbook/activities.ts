/** Has only the external effects of the platform's activities: a carrier request, a webhook, and a trivial step between them. */
import { Agent } from 'node:http';
import { activityInfo } from '@temporalio/activity';
import fetch from 'node-fetch';
import { answeredNumber } from '../platform-client';

/** @throws Error if the variable is not set */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const agent = new Agent({ keepAlive: true });

/** @throws Error if the status is not 2xx */
async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
  if (!response.ok) throw new Error(`the server returned ${response.status}`);
}

const NOT_AFTER_MS = 3000;
const RING_TIMEOUT_S = 30;
const MAX_TALK_S = 120;

/** Returns the textbook program's carrier request for a call to the nth contact, which is answered and talks to the end. */
function callRequest(
  nth: number,
  { reference, eventsUrl }: { reference: string | undefined; eventsUrl: string },
): object {
  return {
    reference,
    to: `+91${answeredNumber(nth)}`,
    from: null,
    not_after: new Date(Date.now() + NOT_AFTER_MS).toISOString(),
    ring_timeout_s: RING_TIMEOUT_S,
    max_talk_s: MAX_TALK_S,
    amd: false,
    events_url: eventsUrl,
    agent: {
      name: 'Asha',
      greeting: 'Namaste, this is Asha.',
      prompt: '1. Ask "Is this a good time?"',
    },
    variables: {},
  };
}

interface TextbookActivitySettings {
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
