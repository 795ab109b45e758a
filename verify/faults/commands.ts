/** Gives the orders of a plan to the campaigns, as their clients do. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Evidence } from './evidence';
import type { Order } from './plan/commands';
import type { RecordingClient } from './recording-client';

export interface OrderedCampaign {
  id: string;
  client: RecordingClient;
}

export async function give(order: Order, { id, client }: OrderedCampaign, evidence: Evidence): Promise<void> {
  const path = `/api/campaigns/${id}`;
  const post = (verb: string) => ({ method: 'POST' as const, path: `${path}/${verb}` });
  switch (order.kind) {
    case 'pause_and_resume':
      await client.insist(post('pause'));
      await delay(order.pausedForMs);
      await client.insist(post('resume'));
      return;
    case 'edit': {
      const fields = { ...order.fields };
      const answer = await client.insist({ method: 'PUT', path, fields });
      if (answer?.status === 200) {
        const record = evidence.campaigns.find((campaign) => campaign.id === id);
        record?.edits.push({ at: new Date().toISOString(), fields });
      }
      await delay(order.pausedForMs);
      await client.insist(post('resume'));
      return;
    }
    case 'cancel':
      await client.insist(post('cancel'));
      return;
    case 'burst': {
      const sent: Promise<unknown>[] = [];
      for (let nth = 0; nth < order.count; nth += 1) {
        sent.push(client.send(post(nth % 2 === 0 ? 'pause' : 'resume')));
        await delay(order.everyMs);
      }
      await Promise.all(sent);
      await client.insist(post('resume'));
    }
  }
}

export function describeOrder(order: Order): string {
  const campaign = `campaign ${order.campaign + 1}`;
  switch (order.kind) {
    case 'pause_and_resume':
      return `${campaign}: paused, resumed`;
    case 'edit':
      return `${campaign}: changed (${Object.entries(order.fields).join(', ').replaceAll(',', ' ')}), resumed`;
    case 'cancel':
      return `${campaign}: cancelled`;
    case 'burst':
      return `${campaign}: ${order.count} pauses and resumes at once`;
  }
}
