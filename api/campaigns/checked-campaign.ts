import { findAgent, type Agent } from '../../db/agents/agents';
import type { Organization } from '../../db/organizations/organizations';
import { withContent } from './contact-file/file-shares';
import { readContactFile, type ContactFileRefusal, type ReadContactFile } from './contact-file';
import { assertMayDialFrom } from '../agents/number-to-call-from';
import type { ApiDependencies } from '../dependencies';
import { ApiError } from '../http/errors/api-error';
import {
  agentNotFound,
  contactFileRefusals,
  fileTooLarge,
  numberNotYours,
  quotaRefusal,
} from '../http/errors/refusals';
import { assertRoom } from '../http/limits';
import { MAX_FILE_BYTES } from '../http/input/multipart';
import type { CampaignForm } from './campaign-form';
import { assertCampaignRules, CAMPAIGN_REFUSALS } from './campaign-rules';

/** Errors of create for the OpenAPI document. */
export const CREATION_REFUSALS: ApiError[] = [
  ...CAMPAIGN_REFUSALS,
  agentNotFound(),
  numberNotYours(),
  ...contactFileRefusals(),
  fileTooLarge(MAX_FILE_BYTES),
  quotaRefusal(),
];

/** Checks a create request: rules, then the agent, the file and the quotas. Writes nothing. */
export async function checkedCampaign(
  { db, settings, clock }: Pick<ApiDependencies, 'db' | 'settings' | 'clock'>,
  form: CampaignForm,
  organization: Organization,
): Promise<{ agent: Agent; file: ReadContactFile }> {
  const { legalWindow, allowedCountries, allowedNumberTypes } = settings;
  assertCampaignRules(form, { legalWindow, maxConcurrency: organization.maxConcurrency, now: clock.now() });
  const agent = await findAgent(db, organization.id, form.agentIdOrName);
  if (agent === undefined) throw agentNotFound();
  await assertMayDialFrom({ db, settings }, agent);
  const file = await withContent(form.file, organization, (content) =>
    readContactFile({
      filename: form.file.filename,
      content,
      rules: { allowedCountries, allowedNumberTypes },
    }),
  );
  if ('code' in file) throw fileRefused(file);
  await assertRoom({ db, settings }, organization, {
    campaigns: 1,
    contacts: file.contacts.length,
    contact_file_bytes: form.file.bytes,
    // Check the webhook quota here, because a running campaign's webhooks are never refused.
    webhook_deliveries: form.campaign_webhook_url === null && form.per_call_webhook_url === null ? 0 : 1,
  });
  return { agent, file };
}

export function fileRefused({ code, message, details, detailsTotal }: ContactFileRefusal): ApiError {
  const rows = details.length === 0 ? {} : { details, detailsTotal };
  return new ApiError({ code, message, ...rows });
}
