import { z } from 'zod';
import { agentNamed } from './agents';
import { agentId, callId } from './fields';
import { changing, type Tool } from './tool';

const dispatchCall = changing({
  name: 'dispatch_call',
  title: 'Call one person now',
  description:
    'Dials one number with an agent as soon as a line is free. This rings a real phone, so the first call only returns what would happen.',
  scope: 'operate',
  annotations: { destructiveHint: true, openWorldHint: true },
  input: {
    agent_id: agentId,
    contact_number: z
      .string()
      .regex(/^\+?\d{10,15}$/, 'must be a number such as +919876543210')
      .describe('Number to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX'),
    name: z.string().min(1).max(255).describe('Name of the person'),
    variables: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe("Values for the {{variables}} in the agent's texts"),
    outbound_number: z
      .string()
      .regex(/^\+\d{8,15}$/, 'must be E.164')
      .optional()
      .describe('Caller ID; one of the numbers that the agent may dial from'),
  },
  preview: {
    agent: z.string(),
    calls: z.string(),
    lines: z.object({ max: z.number(), in_use: z.number(), calls_that_wait: z.number() }),
  },
  result: { call_id: callId, agent_name: z.string() },
  predict: async ({ agent_id, contact_number, name }, client, signal) => {
    const { display_name: agent } = await agentNamed(agent_id, client, signal);
    const limits = await client.get('/api/limits', { signal });
    return {
      agent,
      calls: `${name}, ${contact_number}`,
      lines: {
        max: limits.max_concurrency,
        in_use: limits.live_calls,
        calls_that_wait: limits.waiting_calls,
      },
    };
  },
  carryOut: async ({ variables, ...others }, client, idempotencyKey) => {
    const body = { ...others, medium: 'telephony' as const, ...(variables && { metadata: variables }) };
    const answer = await client.post('/api/trigger-call/', { body, idempotencyKey });
    if (!('output' in answer)) throw new TypeError('the API opened a browser session');
    return { call_id: answer.output.call_id, agent_name: answer.output.agent_name };
  },
});

export const callChanges: readonly Tool[] = [dispatchCall];
