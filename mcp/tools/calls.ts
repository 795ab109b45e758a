import { z } from 'zod';
import { CALL_STATUSES, type Call } from '../../sdk/typescript';
import { agentId, callId, campaignId, extent, limit, phoneNumber } from './fields';
import { sameNumber, search } from './search';
import { reading, type Tool } from './tool';

/** The API can't filter by number. This limits a search to ten requests. */
const MAX_CALLS = 2_000;

const free = z.record(z.string(), z.unknown());

const callSummary = z.object({
  call_id: callId,
  type: z.string(),
  status: z.string(),
  agent_id: agentId,
  agent_name: z.string(),
  name: z.string().nullable(),
  from_number: z.string().nullable(),
  to_number: z.string().nullable(),
  accepted_at: z.string(),
  dialed_at: z.string().nullable(),
  answered_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  duration_ms: z.number(),
  cost: z.number().describe('Credits'),
  summary: z.string().nullable(),
  evaluation_tag: z.string().nullable(),
  findings: free.describe('Extracted data; its keys depend on the agent'),
  do_not_call: z.boolean(),
  callback_requested: z.boolean(),
});

function summaryOf(one: Call): z.output<typeof callSummary> {
  const { name }: { name?: unknown } = one.call_metadata;
  return {
    call_id: one.call_id,
    type: one.call_type,
    status: one.call_status,
    agent_id: one.agent_id,
    agent_name: one.agent_name,
    name: typeof name === 'string' ? name : null,
    from_number: one.from_number,
    to_number: one.to_number,
    accepted_at: one.Start_time,
    dialed_at: one.call_dialing_at,
    answered_at: one.user_picked_up_at,
    ended_at: one.End_time,
    duration_ms: one.duration_ms,
    cost: one.call_cost,
    summary: one.call_summary,
    evaluation_tag: one.call_eval_tag,
    findings: one.call_entity,
    do_not_call: one.do_not_call,
    callback_requested: one.callback_requested,
  };
}

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/, 'must be a date or a timestamp, UTC')
  .max(40);

const findCalls = reading({
  name: 'find_calls',
  title: 'Find calls',
  description: `Finds calls of the organization by number, status, date, agent or campaign, newest first. A search by number or id covers the newest ${MAX_CALLS} calls that match the other filters.`,
  input: {
    phone_number: phoneNumber.optional(),
    call_id: callId.optional(),
    status: z.enum(CALL_STATUSES).optional(),
    from: day.optional().describe('Accepted at or after: a date or a timestamp, UTC'),
    to: day.optional().describe('Accepted before: a date or a timestamp, UTC'),
    agent_id: z.uuid().optional(),
    campaign_id: campaignId.optional(),
    limit,
  },
  output: { calls: z.array(callSummary), ...extent },
  read: async ({ phone_number, call_id, limit, ...filters }, client, signal) => {
    const isNumber = phone_number === undefined ? () => true : sameNumber(phone_number);
    const calls = client.each('/api/call-history', { query: { page_size: 200, ...filters }, signal });
    const { found, ...rest } = await search(
      calls,
      (one) =>
        (isNumber(one.to_number) || isNumber(one.from_number)) &&
        (call_id === undefined || one.call_id === call_id),
      { max: MAX_CALLS, limit: call_id === undefined ? limit : 1 },
    );
    return { calls: found.map(summaryOf), ...rest };
  },
});

const readCall = reading({
  name: 'read_call',
  title: 'Read the transcript and findings of a call',
  description:
    'Returns the transcript, summary, findings and evaluation of one call, and whether a model or rules found them. Until a call is processed, they are fixed texts that say so.',
  input: { call_id: callId },
  output: {
    transcript: z.string().describe('Lines prefixed AGENT: and USER:'),
    summary: z.string(),
    findings: z.union([free, z.string()]),
    evaluation: z.union([free, z.string()]),
    evaluation_tag: z.string().nullable(),
    found_by: z.enum(['model', 'rules']).nullable(),
    model_cost: z.number().nullable(),
  },
  read: async ({ call_id }, client, signal) => {
    const details = await client.get('/api/call_details/{call_id}', { path: { call_id }, signal });
    return {
      transcript: details.transcription,
      summary: details.summary,
      findings: details.entity,
      evaluation: details.conversation_eval,
      evaluation_tag: details.call_eval_tag,
      found_by: details.analysis_method,
      model_cost: details.usage?.cost ?? null,
    };
  },
});

export const callTools: readonly Tool[] = [findCalls, readCall];
