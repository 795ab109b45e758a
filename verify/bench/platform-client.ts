/** Creates campaigns of the platform as a client does. */
import Joi from 'joi';
import { AGENT_CONFIG, AGENT_NAME } from '../../dev/demo/agent';
import { AGENT_CREATED, CAMPAIGN_CREATED } from '../../dev/demo/answers';
import type { ApiClient } from '../../dev/demo/api-client';
import type { AgentConfig } from '../../workflows/domain/agent-config';
import { contactFile } from './contact-file';

const DAY_MS = 86_400_000;

/** The demo's agent, or another. */
export async function createAgent(api: ApiClient, config: AgentConfig = AGENT_CONFIG): Promise<string> {
  const agent = { agent_display_name: AGENT_NAME, config };
  return (await api.post('/api/create-agent', agent, AGENT_CREATED)).agent_id;
}

export interface BenchCampaign {
  agentId: string;
  contacts: number;
  lines: number;
  webhookUrl: string;
}

/** Returns the id of the campaign, which has begun. One webhook for each call, none for the campaign. */
export async function createCampaign(api: ApiClient, campaign: BenchCampaign): Promise<string> {
  const fields = {
    campaign_name: 'Benchmark',
    agent_id: campaign.agentId,
    concurrency: campaign.lines,
    from_date: dayOf(Date.now()),
    // Tomorrow, so that a campaign that is begun just before midnight goes on after it.
    to_date: dayOf(Date.now() + DAY_MS),
    start_time: '00:00',
    end_time: '24:00',
    days_of_week: 'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
    max_retries: 1,
    per_call_webhook_url: campaign.webhookUrl,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('csv_file', new Blob([contactFile(campaign.contacts)], { type: 'text/csv' }), 'contacts.csv');
  return (await api.post('/api/campaigns/create', form, CAMPAIGN_CREATED)).id;
}

const DISPATCHED = Joi.object<{ output: { call_id: string } }>({
  output: Joi.object({ call_id: Joi.string().required() }).required(),
});

/** Returns the id of the call, which is on its way. */
export async function dispatch(
  { api, agentId }: { api: ApiClient; agentId: string },
  contactNumber: string,
): Promise<string> {
  const call = { agent_id: agentId, contact_number: contactNumber, name: 'Benchmark' };
  return (await api.post('/api/trigger-call/', call, DISPATCHED)).output.call_id;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
