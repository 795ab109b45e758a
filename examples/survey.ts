/** Asks each person in a contact file three questions and saves a report of all answers. */
import { writeFile } from 'node:fs/promises';
import type { VoiceAgentClient } from '../sdk/typescript';
import { agentFile, sayOutcomes, startCampaign, watch, type Say, type Window } from './platform';

export async function survey(
  client: VoiceAgentClient,
  window: Window,
  reportPath: string,
  say: Say,
): Promise<void> {
  const { agent_id: agentId } = await client.post('/api/create-agent', { body: await agentFile('survey') });
  const campaign_id = await startCampaign(client, {
    name: 'Survey',
    agentId,
    contacts: 'survey.csv',
    window,
  });
  await watch(client, campaign_id, say);
  await sayOutcomes(client, campaign_id, say);
  const report = await client.download('/api/campaigns/{campaign_id}/report', {
    path: { campaign_id },
    query: { format: 'csv' },
  });
  await writeFile(reportPath, await report.text());
  say(`The report is in ${reportPath}`);
}
