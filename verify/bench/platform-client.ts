/** Creates campaigns through the API. */
import Joi from 'joi';
import { AGENT_CONFIG, AGENT_NAME } from '../../dev/demo/agent';
import { AGENT_CREATED, CAMPAIGN_CREATED, type ApiClient } from '../../dev/demo/api-client';
import { campaignForm } from '../../dev/demo/campaign';
import type { AgentConfig } from '../../domain/agent-config';

const FIRST_NUMBER = 9_810_000_000;
/** Numbers ending in 00 to 69 are answered and talk to the end. */
const ANSWERED_ENDINGS = 70;

/** Returns the national number of the nth contact, starting at 0. The numbers are valid, distinct and answered by the simulator. */
export function answeredNumber(nth: number): string {
  return String(FIRST_NUMBER + Math.floor(nth / ANSWERED_ENDINGS) * 100 + (nth % ANSWERED_ENDINGS));
}

function contactFile(contacts: number): string {
  const rows = Array.from({ length: contacts }, (_, nth) => `Contact ${nth + 1},${answeredNumber(nth)}`);
  return ['name,phone_number', ...rows, ''].join('\n');
}

/** Uses the demo's agent by default. */
export async function createAgent(api: ApiClient, config: AgentConfig = AGENT_CONFIG): Promise<string> {
  const agent = { agent_display_name: AGENT_NAME, config };
  return (await api.post('/api/create-agent', agent, AGENT_CREATED)).agent_id;
}

interface BenchCampaign {
  agentId: string;
  contacts: number;
  lines: number;
  webhookUrl: string;
}

/** Creates an active campaign and returns its id. The campaign sends a webhook for each call, but none for its own end. */
export async function createCampaign(api: ApiClient, campaign: BenchCampaign): Promise<string> {
  const form = campaignForm(
    { csv: contactFile(campaign.contacts), nowMs: Date.now() },
    {
      campaign_name: 'Benchmark',
      agent_id: campaign.agentId,
      concurrency: campaign.lines,
      max_retries: 1,
      per_call_webhook_url: campaign.webhookUrl,
    },
  );
  return (await api.post('/api/campaigns/create', form, CAMPAIGN_CREATED)).id;
}

const DISPATCHED = Joi.object<{ output: { call_id: string } }>({
  output: Joi.object({ call_id: Joi.string().required() }).required(),
});

/** Dispatches a call and returns its id. */
export async function dispatch(
  { api, agentId }: { api: ApiClient; agentId: string },
  contactNumber: string,
): Promise<string> {
  const call = { agent_id: agentId, contact_number: contactNumber, name: 'Benchmark' };
  return (await api.post('/api/trigger-call/', call, DISPATCHED)).output.call_id;
}
