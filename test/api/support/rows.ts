import { randomUUID } from 'node:crypto';
import { AGENT_TICKET } from './agent-access';
import type { TestApi, TestOrganization } from './test-api';

/** Writes rows directly into the tables, in the state in which the engine would leave them. */

export async function newAgent(
  api: TestApi,
  {
    as = api.organization,
    config = {},
    name = 'Collections',
  }: { as?: TestOrganization; config?: object; name?: string } = {},
): Promise<string> {
  const answer = await api.ask('/api/create-agent', { as, json: { agent_display_name: name, config } });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.agent_id as string;
}

export const CONTACTS = 'name,phone_number,city\nAsha,+919876543210,Pune\nRavi,9876543211,Delhi\n';

export function campaignForm(
  agentId: string,
  changes: Record<string, string | string[] | null> = {},
): FormData {
  const fields: Record<string, string | string[] | null> = {
    campaign_name: 'November reminders',
    agent_id: agentId,
    concurrency: '2',
    from_date: '2026-11-02',
    to_date: '2026-11-06',
    start_time: '04:00',
    end_time: '10:30',
    days_of_week: 'monday,tuesday,friday',
    ...changes,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of value === null ? [] : [value].flat()) form.append(name, each);
  }
  return form;
}

export function withFile(
  form: FormData,
  content: string | Buffer = CONTACTS,
  filename = 'contacts.csv',
): FormData {
  form.append('csv_file', new Blob([content]), filename);
  return form;
}

export async function newCampaign(
  api: TestApi,
  { as = api.organization, ...changes }: { as?: TestOrganization } & Record<string, any> = {},
): Promise<string> {
  const agentId = await newAgent(api, { as });
  const answer = await api.ask('/api/campaigns/create', {
    as,
    body: withFile(campaignForm(agentId, changes)),
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id as string;
}

export async function newCall(api: TestApi, row: Record<string, unknown> = {}): Promise<string> {
  const callId = (row.call_id as string | undefined) ?? `outbound-1-${randomUUID()}`;
  await api.db('calls').insert({
    call_id: callId,
    organization_id: api.organization.id,
    agent_version: 1,
    call_type: 'Outbound',
    direction: 'Outbound',
    name: 'Asha',
    to_number: '+919876543210',
    accepted_at: new Date(api.clock.time),
    agent_ticket: AGENT_TICKET,
    ...row,
  });
  return callId;
}

export async function say(api: TestApi, callId: string, lines: [speaker: 'agent' | 'user', text: string][]) {
  await api.db('call_segments').insert(
    lines.map(([speaker, text], index) => ({
      call_id: callId,
      speaker,
      text,
      start_ms: index * 1000,
      end_ms: index * 1000 + 900,
    })),
  );
}

/** Stores this audio as the call's recording. */
export async function record(api: TestApi, callId: string, audio = 'RIFF of words'): Promise<void> {
  const storage_key = `recordings/${callId}.wav`;
  await api.storage.put(storage_key, Buffer.from(audio));
  await api.db('recordings').insert({
    call_id: callId,
    storage_key,
    content_type: 'audio/wav',
    bytes: audio.length,
    stored_at: new Date(api.clock.time),
  });
}

/** Columns of a finished, analysed call. */
export const ANALYSED = {
  stage: 'over',
  call_status: 'completed',
  post_processing_status: 'completed',
  summary: 'Will pay on Friday',
  entity: { day: 'Friday' },
  eval_tag: 'promise to pay',
  conversation_eval: { goal_met: true },
  conversation_quality: { score: 8 },
};

export async function countOf(api: TestApi, table: string): Promise<number> {
  const [row] = await api.db(table).count<{ count: number }[]>('* as count');
  return Number(row?.count);
}
