import { AGENT_CONFIG, AGENT_NAME } from './agent';
import { AGENT_CREATED, CAMPAIGN_CREATED, type ApiClient } from './api-client';

export const LINES = 10;
/** Dial attempts per contact. */
export const MAX_RETRIES = 3;
export const CAMPAIGN_NAME = 'Check-up reminders';
/** Receives the e-mail about the campaign's end. The address is fictional. */
const MANAGER = 'manager@tulsi-dental.example';

export interface DemoCampaign {
  agentId: string;
  campaignId: string;
}

const DAY_MS = 86_400_000;

/** Creates the agent and uploads the contact file, as an API client does. */
export async function createCampaign(
  api: ApiClient,
  options: { csv: string; webhookUrl: string; nowMs: number },
): Promise<DemoCampaign> {
  const agent = { agent_display_name: AGENT_NAME, config: AGENT_CONFIG };
  const { agent_id: agentId } = await api.post('/api/create-agent', agent, AGENT_CREATED);
  const form = campaignForm(options, {
    campaign_name: CAMPAIGN_NAME,
    agent_id: agentId,
    concurrency: LINES,
    max_retries: MAX_RETRIES,
    retry_delay_mins: 0,
    notification_emails: MANAGER,
    campaign_webhook_url: `${options.webhookUrl}/campaign`,
    per_call_webhook_url: `${options.webhookUrl}/calls`,
  });
  const { id: campaignId } = await api.post('/api/campaigns/create', form, CAMPAIGN_CREATED);
  return { agentId, campaignId };
}

/** Returns the form for a campaign that dials at any hour today and tomorrow, so that midnight doesn't end it. */
export function campaignForm(
  { csv, nowMs }: { csv: string; nowMs: number },
  others: Readonly<Record<string, string | number>>,
): FormData {
  const fields = {
    from_date: dayOf(nowMs),
    to_date: dayOf(nowMs + DAY_MS),
    start_time: '00:00',
    end_time: '24:00',
    days_of_week: 'monday,tuesday,wednesday,thursday,friday,saturday,sunday',
    ...others,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('csv_file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
  return form;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
