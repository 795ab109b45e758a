import type { Agent } from '../../db/agents/agents';
import type { Actor } from '../../db/organizations/audit';
import { insertCampaign, withdrawCampaign, type Campaign } from '../../db/campaigns/campaigns';
import type { Organization } from '../../db/organizations/organizations';
import { LATE_FILE_MS, listForRemoval, takeOffList } from '../../db/organizations/files-to-remove';
import { isDatabaseAway } from '../../db/kernel/database-away';
import type { ReadContactFile } from './contact-file';
import type { ApiDependencies } from '../dependencies';
import { isUniqueViolation } from '../http/errors/classify';
import { contactFileKey } from '../dependencies/stored-files';
import type { CampaignForm } from './campaign-form';
import { storedTerms } from './stored-terms';

export interface CampaignLaunch {
  /** A UUID that no campaign has. */
  id: string;
  actor: Actor;
  form: CampaignForm;
  organization: Organization;
  agent: Agent;
  file: ReadContactFile;
}

/**
 * Stores the file, then the rows, then starts the workflow. An acknowledged campaign is therefore complete, and reconciliation starts a
 * workflow that is missing. A failure undoes the earlier steps; after a crash the daily run removes the file.
 */
export async function launchCampaign(deps: ApiDependencies, launch: CampaignLaunch): Promise<Campaign> {
  const { id, actor, form, organization, agent, file } = launch;
  const key = contactFileKey(id, file.format);
  await listForRemoval(deps.db, [key], deps.clock.now() + LATE_FILE_MS);
  await deps.storage.putStream(key, form.file.stream());
  try {
    const campaign = await insertCampaign(deps.db, {
      id,
      organizationId: organization.id,
      agentId: agent.id,
      contactSourceType: file.format,
      contactFileKey: key,
      contactFileBytes: form.file.bytes,
      contactColumns: file.columns,
      ...storedTerms(form),
      performDndCheck: form.performDndCheck,
      contacts: file.contacts,
      actor,
      now: deps.clock.now(),
    });
    await startOrWithdraw(deps, campaign);
    return campaign;
  } catch (error) {
    if (!mayExist(error)) {
      await deps.storage.remove(key);
      await takeOffList(deps.db, key);
    }
    throw error;
  }
}

/**
 * True if the row may exist: an earlier run created it under the same id, or only the response to our commit was lost. Then keep the file;
 * if there is no row after all, the daily run removes it.
 */
const mayExist = (error: unknown): boolean => isUniqueViolation(error) || isDatabaseAway(error);

/** If the response to the start was lost but calls show that it succeeded, the campaign continues and the request succeeds. */
async function startOrWithdraw(deps: ApiDependencies, campaign: Campaign): Promise<void> {
  const { id: campaignId, organizationId, agentId } = campaign;
  try {
    await deps.temporal.startCampaign({ campaignId, organizationId, agentId }, { contacts: campaign.total });
  } catch (error) {
    if (await withdrawCampaign(deps.db, campaignId, deps.clock.now())) throw error;
    deps.log.warn(
      { campaign_id: campaignId },
      'campaign started although the response to its start was lost',
    );
  }
}
