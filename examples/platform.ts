/** Code that the examples share: the client, this folder's agents, and a campaign that is watched until it ends. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VoiceAgentClient, type AgentConfig, type CampaignDetail } from '../sdk/typescript';

export type Say = (line: string) => void;

/** Source folder with the agents and the contacts. The built program is in `dist/`. */
export const FOLDER = resolve(__dirname, __filename.endsWith('.ts') ? '.' : '../../examples');

export function platformOf(env: Readonly<Record<string, string | undefined>>): VoiceAgentClient {
  const apiKey = env.VOICE_API_KEY ?? '';
  if (apiKey === '') throw new Error('VOICE_API_KEY is not set. "npm start" prints how to create a key.');
  return new VoiceAgentClient({ baseUrl: env.VOICE_API_URL || 'http://127.0.0.1:8080', apiKey });
}

export interface AgentFile {
  agent_display_name: string;
  config: AgentConfig;
}

export const agentFile = async (name: string): Promise<AgentFile> =>
  JSON.parse(await readFile(join(FOLDER, 'agents', `${name}.json`), 'utf8')) as AgentFile;

/** Times of day in UTC. */
export interface Window {
  start_time: string;
  end_time: string;
}

export interface CampaignSettings {
  name: string;
  agentId: string;
  /** Name of a file in `contacts/`. */
  contacts: string;
  window: Window;
}

const DAY_MS = 86_400_000;
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export async function startCampaign(client: VoiceAgentClient, settings: CampaignSettings): Promise<string> {
  const file = new File([await readFile(join(FOLDER, 'contacts', settings.contacts))], settings.contacts);
  const { id } = await client.post('/api/campaigns/create', {
    body: {
      csv_file: file,
      campaign_name: settings.name,
      agent_id: settings.agentId,
      concurrency: 2,
      from_date: day(Date.now()),
      to_date: day(Date.now() + 7 * DAY_MS),
      ...settings.window,
      days_of_week: 'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
      max_retries: 2,
      retry_delay_mins: 0,
    },
  });
  return id;
}

const POLL_MS = 500;

/**
 * Prints each change until the campaign is over. Throws when the campaign pauses or its window is closed, so that you don't wait for
 * nothing.
 */
export async function watch(
  client: VoiceAgentClient,
  campaign_id: string,
  say: Say,
): Promise<CampaignDetail> {
  for (let before = ''; ; await sleep(POLL_MS)) {
    const campaign = await client.get('/api/campaigns/{campaign_id}', { path: { campaign_id } });
    const { total_calls, completed, in_progress, failed } = campaign.stats;
    const line = `${campaign.campaign_status}: ${total_calls} contacts, ${in_progress} in a call, ${completed} reached, ${failed} not reached`;
    if (line !== before) say(line);
    before = line;
    if (campaign.campaign_status === 'completed') return campaign;
    if (campaign.campaign_status !== 'active')
      throw new Error(`The campaign is waiting: ${campaign.status_reason}. Change --window to dial now.`);
  }
}

/** Prints the outcome of each contact and what the call found out. */
export async function sayOutcomes(client: VoiceAgentClient, campaign_id: string, say: Say): Promise<void> {
  const calls = new Map<string, Record<string, unknown>>();
  for await (const call of client.each('/api/call-history', { query: { campaign_id } }))
    calls.set(call.call_id, call.call_entity);
  for await (const contact of client.each('/api/campaigns/{campaign_id}/contacts', {
    path: { campaign_id },
  })) {
    const last = contact.attempts.at(-1);
    const found = JSON.stringify(calls.get(last?.call_id ?? '') ?? {});
    say(
      `${contact.name}: ${contact.why ?? last?.call_status ?? contact.state}${found === '{}' ? '' : `, ${found}`}`,
    );
  }
}
