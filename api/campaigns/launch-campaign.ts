import { randomUUID } from 'node:crypto';
import type { Agent } from '../../db/agents';
import { insertCampaign, withdrawCampaign, type Campaign } from '../../db/campaigns';
import type { Client } from '../../db/clients';
import type { ReadContactFile } from '../contact-file';
import type { ApiDependencies } from '../dependencies';
import { contactFileKey } from '../storage';
import type { CampaignForm } from './campaign-form';

export interface CampaignOrder {
  form: CampaignForm;
  client: Client;
  agent: Agent;
  file: ReadContactFile;
}

/**
 * File, rows, workflow, in that order: what is acknowledged is complete, and reconciliation starts what has a row and no workflow.
 * Whatever fails takes back what came before it.
 */
export async function launchCampaign(deps: ApiDependencies, order: CampaignOrder): Promise<Campaign> {
  const { form, client, agent, file } = order;
  const id = randomUUID();
  const key = contactFileKey(id, file.format);
  await deps.storage.put(key, form.file.content);
  try {
    const campaign = await insertCampaign(deps.db, {
      id,
      clientId: client.id,
      agentId: agent.id,
      campaignName: form.campaignName,
      contactSourceType: file.format,
      contactFileKey: key,
      daysOfWeek: form.daysOfWeek.join(','),
      startMinute: form.startMinute,
      endMinute: form.endMinute,
      fromDate: form.fromDate,
      toDate: form.toDate,
      maxRetries: form.maxRetries,
      retryAfterMins: form.retryDelayMins,
      callConcurrency: form.concurrency,
      notificationEmails: form.notificationEmails,
      webhookUrl: form.campaignWebhookUrl,
      perCallWebhookUrl: form.perCallWebhookUrl,
      performDndCheck: form.performDndCheck,
      contacts: file.contacts,
      now: deps.clock.now(),
    });
    await startOrWithdraw(deps, campaign);
    return campaign;
  } catch (error) {
    await deps.storage.remove(key);
    throw error;
  }
}

/** A start whose answer was lost may have happened; if calls show that it did, the campaign is running and is answered as such. */
async function startOrWithdraw(deps: ApiDependencies, campaign: Campaign): Promise<void> {
  const { id: campaignId, clientId, agentId } = campaign;
  try {
    await deps.temporal.startCampaign({ campaignId, clientId, agentId }, { contacts: campaign.total });
  } catch (error) {
    if (await withdrawCampaign(deps.db, campaignId)) throw error;
    deps.log.warn({ campaignId }, 'campaign runs although the answer to its start was lost');
  }
}
