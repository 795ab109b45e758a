/** A front desk that books appointments: its agent, the clinic's server that its action calls, and a conversation with both. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { VoiceAgentClient } from '../../sdk/typescript';
import { agentFile, FOLDER, type AgentFile, type Say } from '../platform';
import { startBookings, type Booking } from './bookings';

/** Returns the agent from `agents/` with the action added. If you pass `number`, the agent answers calls to that number. */
export async function frontDesk(bookingsUrl: string, number: string | null): Promise<AgentFile> {
  const { agent_display_name, config } = await agentFile('front-desk');
  const book = {
    type: 'http_request',
    description: 'Books an appointment, once the caller has said their name and the day.',
    method: 'POST',
    url: bookingsUrl,
    parameters: {
      type: 'object',
      properties: { name: { type: 'string' }, day: { type: 'string', description: 'A weekday' } },
      required: ['name', 'day'],
    },
    waiting_message: 'One moment, I look into the calendar.',
  };
  return {
    agent_display_name,
    config: {
      ...config,
      persona: { ...config.persona, actions: { book_appointment: book } },
      ...(number !== null && { deployment: { phone: { call_type: { Inbound: number } } } }),
    },
  };
}

/** The model's words are scripted, so you don't need an account. The action's request is real. */
const TURNS = [
  { expect: { contains: 'Garden Clinic' } },
  {
    user: 'My name is Asha Rao. Can I come on Tuesday?',
    replies: [
      { tools: [{ name: 'book_appointment', arguments: { name: 'Asha Rao', day: 'Tuesday' } }] },
      'You have an appointment on Tuesday at ten.',
    ],
    expect: { contains: 'Tuesday at ten', tool: 'book_appointment', model_reads: '"booked":true' },
  },
];

/** Runs the conversation with the real agent and returns the bookings. Throws with the agent's report when an expectation fails. */
export async function converse(say: Say): Promise<readonly Booking[]> {
  const server = await startBookings(0);
  const folder = await mkdtemp(join(tmpdir(), 'front-desk-'));
  try {
    const agent = await frontDesk(`http://${server.address}/appointments`, null);
    const file = join(folder, 'booking.conversation.json');
    const conversation = { title: 'A caller books an appointment', agent, http: 'real', turns: TURNS };
    await writeFile(file, JSON.stringify(conversation));
    const program = join(FOLDER, '..', 'agent', 'dist', 'agent', 'text', 'scripted', 'main.js');
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--long', file], {
      // The clinic's server runs on this machine. An agent can reach private hosts only if they are allowed.
      env: { ...process.env, AGENT_ALLOWED_HOSTS: server.address },
    });
    say(stdout.trim());
    for (const { name, day } of server.bookings) say(`The clinic's server has booked ${name} for ${day}.`);
    return server.bookings;
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

/** Makes the agent answer calls to `number`, with an action that calls `bookingsUrl`. */
export async function answerCallers(
  client: VoiceAgentClient,
  { number, bookingsUrl }: { number: string; bookingsUrl: string },
  say: Say,
): Promise<void> {
  const { agent_id } = await client.post('/api/create-agent', { body: await frontDesk(bookingsUrl, number) });
  say(`Agent ${agent_id} answers the callers of ${number}.`);
}
