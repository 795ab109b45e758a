/** Code that runs in the programs beside the platform: their settings, their requests, and their endpoint for the carrier's events. */
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import fetch from 'node-fetch';
import { parsedJson, valueAt } from '../../../domain/json';
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

/** Places a call to the nth contact, which is answered and talks to the end. */
export function dial(nth: number, reference: string): Promise<void> {
  const request = {
    reference,
    to: `+91${answeredNumber(nth)}`,
    from: null,
    not_after: new Date(Date.now() + NOT_AFTER_MS).toISOString(),
    ring_timeout_s: RING_TIMEOUT_S,
    max_talk_s: MAX_TALK_S,
    amd: false,
    events_url: `http://127.0.0.1:${required('EVENTS_PORT')}/events`,
    agent: {
      name: 'Asha',
      greeting: 'Namaste, this is Asha.',
      prompt: '1. Ask "Is this a good time?"',
    },
    variables: {},
  };
  const authorization = `Bearer ${required('CARRIER_SECRET')}`;
  return post(`${required('CARRIER_URL')}/calls`, request, { authorization });
}

export const sendWebhook = (callId: string, summary: string): Promise<void> =>
  post(required('WEBHOOK_URL'), { event: 'call.completed', call_id: callId, summary });

/** Listens on EVENTS_PORT. Runs the callback when a call ends and acknowledges all other events. */
export async function startEventsEndpoint(onEnded: (reference: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const reference = endedReference(body);
      const answer = (status: number) => response.writeHead(status).end();
      (reference === null ? Promise.resolve() : onEnded(reference)).then(
        () => answer(204),
        () => answer(503),
      );
    });
  });
  server.listen(Number(required('EVENTS_PORT')), '127.0.0.1');
  await once(server, 'listening');
}

function endedReference(body: string): string | null {
  const event = parsedJson(body);
  const reference = valueAt(event, 'reference');
  return valueAt(event, 'type') === 'ended' && typeof reference === 'string' ? reference : null;
}

/** Ends the process if its main function fails, so that the benchmark sees it. */
export function runProgram(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
