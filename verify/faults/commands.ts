/** Sends a plan's commands to its campaigns through the API. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Evidence } from './evidence';
import type { Command } from './plan/commands';
import type { RecordingClient } from './recording-client';

export interface CreatedCampaign {
  id: string;
  client: RecordingClient;
}

export async function send(
  command: Command,
  { id, client }: CreatedCampaign,
  evidence: Evidence,
): Promise<void> {
  const path = `/api/campaigns/${id}`;
  const post = (verb: string) => ({ method: 'POST' as const, path: `${path}/${verb}` });
  switch (command.kind) {
    case 'pause_and_resume':
      await client.insist(post('pause'));
      await delay(command.pausedForMs);
      await client.insist(post('resume'));
      return;
    case 'edit': {
      const fields = { ...command.fields };
      const answer = await client.insist({ method: 'PUT', path, fields });
      if (answer?.status === 200) {
        const record = evidence.campaigns.find((campaign) => campaign.id === id);
        record?.edits.push({ at: new Date().toISOString(), fields });
      }
      await delay(command.pausedForMs);
      await client.insist(post('resume'));
      return;
    }
    case 'cancel':
      await client.insist(post('cancel'));
      return;
    case 'burst': {
      const sent: Promise<unknown>[] = [];
      for (let nth = 0; nth < command.count; nth += 1) {
        sent.push(client.send(post(nth % 2 === 0 ? 'pause' : 'resume')));
        await delay(command.everyMs);
      }
      await Promise.all(sent);
      await client.insist(post('resume'));
    }
  }
}

export function describeCommand(command: Command): string {
  const campaign = `campaign ${command.campaign + 1}`;
  switch (command.kind) {
    case 'pause_and_resume':
      return `${campaign}: paused, resumed`;
    case 'edit':
      return `${campaign}: changed (${Object.entries(command.fields).join(', ').replaceAll(',', ' ')}), resumed`;
    case 'cancel':
      return `${campaign}: cancelled`;
    case 'burst':
      return `${campaign}: ${command.count} pauses and resumes at once`;
  }
}
