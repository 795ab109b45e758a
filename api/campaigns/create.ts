/** Creates a campaign: checks the request, then stores the file and the rows and starts the workflow. */
import { findAgent, type Agent } from '../../db/agents/agents';
import {
  findCampaign,
  insertCampaign,
  withdrawCampaign,
  type Campaign,
  type NewCampaign,
} from '../../db/campaigns/campaigns';
import type { Db } from '../../db/kernel/connection';
import { isDatabaseUnreachable } from '../../db/kernel/database-unreachable';
import type { Actor } from '../../db/organizations/audit';
import { LATE_FILE_MS, listForRemoval, takeOffList } from '../../db/organizations/files-to-remove';
import type { Organization } from '../../db/organizations/organizations';
import { assertMayDialFrom } from '../agents/number-to-call-from';
import type { ApiDependencies } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { ApiError } from '../http/errors/api-error';
import { isUniqueViolation } from '../http/errors/answer';
import { MAX_FILE_BYTES } from '../http/input/forms';
import { assertRoom } from '../http/limits';
import {
  agentNotFound,
  contactFileRefusals,
  fileTooLarge,
  numberNotYours,
  quotaRefusal,
} from '../http/errors/refusals';
import { profileNamed, refusingUnknownProfile } from '../rules/named-profile';
import { readContactFile, type ReadContactFile } from './contact-file/read-contact-file';
import type { ContactFileRefusal } from './contact-file/result';
import { withContent } from './contact-file/file-shares';
import { confirmRecipients } from './mail-confirmation';
import { listSize } from './append';
import type { CampaignForm, FileForm, ListForm } from './schema';
import { assertCampaignRules, CAMPAIGN_REFUSALS, storedTerms } from './terms';

/** Errors of create for the OpenAPI document. */
export const CREATION_REFUSALS: ApiError[] = [
  ...CAMPAIGN_REFUSALS,
  agentNotFound(),
  numberNotYours(),
  ...contactFileRefusals(),
  fileTooLarge(MAX_FILE_BYTES),
  quotaRefusal(),
];

export async function createCampaign(
  deps: ApiDependencies,
  id: string,
  { source, ...terms }: CampaignForm,
  organization: ApiClient,
): Promise<Campaign> {
  const launch: Launching = { id, organization, actor: organization.actor };
  const campaign =
    'file' in source
      ? await launchFile(deps, launch, { ...terms, source })
      : await launchList(deps, launch, { ...terms, source });
  await confirmRecipients(deps, campaign);
  return campaign;
}

type Launching = Pick<CampaignLaunch, 'id' | 'organization' | 'actor'>;

const launchFile = async (deps: ApiDependencies, launch: Launching, form: FileForm): Promise<Campaign> =>
  launchCampaign(deps, { ...launch, form, ...(await checkedCampaign(deps, form, launch.organization)) });

/** The contacts are copied in the transaction that stores the campaign. */
async function launchList(deps: ApiDependencies, launch: Launching, form: ListForm): Promise<Campaign> {
  const { listId } = form.source;
  const agent = await checkedAgent(deps, form, launch.organization);
  const contacts = await listSize(deps, listId, launch.organization.id);
  if (contacts === 0) {
    throw new ApiError({ code: 'NO_CONTACTS', message: 'The contact list contains no contacts' });
  }
  await assertFits(deps, form, launch.organization, { contacts });
  return insertAndStart(
    deps,
    { ...launch, form, agent },
    {
      contactSourceType: 'list',
      contactFileKey: null,
      contactFileBytes: 0,
      contactColumns: [],
      contactListId: listId,
      contacts: [],
    },
  );
}

/** Create always returns the initial status, even when the campaign has moved on since. */
export async function createdBefore(
  db: Db,
  organizationId: string,
  id: string,
): Promise<Campaign | undefined> {
  const found = await findCampaign(db, organizationId, id);
  return found && { ...found, status: 'active' };
}

type Checking = Pick<ApiDependencies, 'db' | 'settings' | 'clock'>;

/** Checks a create request with a file: rules, then the rule profile, the agent, the file and the quotas. Writes nothing. */
export async function checkedCampaign(
  deps: Checking,
  form: FileForm,
  organization: Organization,
): Promise<{ agent: Agent; file: ReadContactFile }> {
  const { allowedCountries, allowedNumberTypes } = deps.settings;
  const agent = await checkedAgent(deps, form, organization);
  const upload = form.source.file;
  const file = await withContent(upload, organization, (content) =>
    readContactFile({
      filename: upload.filename,
      content,
      rules: { allowedCountries, allowedNumberTypes },
    }),
  );
  if ('code' in file) throw fileRefused(file);
  const adding = { contacts: file.contacts.length, contact_file_bytes: upload.bytes };
  await assertFits(deps, form, organization, adding);
  return { agent, file };
}

async function checkedAgent(
  { db, settings, clock }: Checking,
  form: CampaignForm,
  organization: Organization,
): Promise<Agent> {
  const { legalWindow, legalWindowLocal } = settings;
  const { maxConcurrency } = organization;
  assertCampaignRules(form, { legalWindow, legalWindowLocal, maxConcurrency, now: clock.now() });
  if (form.rule_profile !== null) await profileNamed(db, organization.id, form.rule_profile, 'rule_profile');
  const agent = await findAgent(db, organization.id, form.agentIdOrName);
  if (agent === undefined) throw agentNotFound();
  await assertMayDialFrom({ db, settings }, agent);
  return agent;
}

const assertFits = (
  { db, settings }: Checking,
  form: CampaignForm,
  organization: Organization,
  adding: { contacts: number; contact_file_bytes?: number },
): Promise<void> =>
  assertRoom({ db, settings }, organization, {
    campaigns: 1,
    ...adding,
    // Check the webhook quota here, because a running campaign's webhooks are never refused.
    webhook_deliveries: form.campaign_webhook_url === null && form.per_call_webhook_url === null ? 0 : 1,
  });

export function fileRefused({ code, message, details, detailsTotal }: ContactFileRefusal): ApiError {
  const rows = details.length === 0 ? {} : { details, detailsTotal };
  return new ApiError({ code, message, ...rows });
}

export interface CampaignLaunch {
  /** Must be a new UUID. */
  id: string;
  actor: Actor;
  form: FileForm;
  organization: Organization;
  agent: Agent;
  file: ReadContactFile;
}

/**
 * Stores the file, then the rows, then starts the workflow, so an acknowledged campaign is complete. A failure undoes the earlier steps.
 * After a crash, reconciliation starts a missing workflow and the daily cleanup removes an unused file.
 */
export async function launchCampaign(deps: ApiDependencies, launch: CampaignLaunch): Promise<Campaign> {
  const { id, form, file } = launch;
  const key = `${id}.${file.format}`;
  await listForRemoval(deps.db, [key], deps.clock.now() + LATE_FILE_MS);
  await deps.storage.putStream(key, form.source.file.stream());
  try {
    return await insertAndStart(deps, launch, {
      contactSourceType: file.format,
      contactFileKey: key,
      contactFileBytes: form.source.file.bytes,
      contactColumns: file.columns,
      contactListId: null,
      contacts: file.contacts,
    });
  } catch (error) {
    if (!mayExist(error)) {
      await deps.storage.remove(key);
      await takeOffList(deps.db, key);
    }
    throw error;
  }
}

type StoredContacts = Pick<
  NewCampaign,
  | 'contactSourceType'
  | 'contactFileKey'
  | 'contactFileBytes'
  | 'contactColumns'
  | 'contactListId'
  | 'contacts'
>;

async function insertAndStart(
  deps: ApiDependencies,
  { id, actor, form, organization, agent }: Launching & { form: CampaignForm; agent: Agent },
  contacts: StoredContacts,
): Promise<Campaign> {
  const campaign = await refusingUnknownProfile(
    insertCampaign(deps.db, {
      id,
      organizationId: organization.id,
      agentId: agent.id,
      ...contacts,
      ...storedTerms(form),
      performDndCheck: form.performDndCheck,
      actor,
      now: deps.clock.now(),
    }),
  );
  await startOrWithdraw(deps, campaign);
  return campaign;
}

/**
 * True if the row may exist, because an earlier run created it under the same id or the response to our commit was lost. The file must then
 * stay. If there is no row after all, the daily cleanup removes it.
 */
const mayExist = (error: unknown): boolean => isUniqueViolation(error) || isDatabaseUnreachable(error);

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
