/** Reminds each person in a contact file of their check-up and prints who was reached. */
import type { VoiceAgentClient } from '../sdk/typescript';
import { agentFile, sayOutcomes, startCampaign, watch, type Say, type Window } from './platform';

export async function reminder(client: VoiceAgentClient, window: Window, say: Say): Promise<void> {
  const { agent_id: agentId } = await client.post('/api/create-agent', { body: await agentFile('reminder') });
  const settings = { name: 'Reminders', agentId, contacts: 'reminder.csv', window };
  const campaignId = await startCampaign(client, settings);
  await watch(client, campaignId, say);
  await sayOutcomes(client, campaignId, say);
}
