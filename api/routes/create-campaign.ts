import { randomUUID } from 'node:crypto';
import { findAgent } from '../../db/agents';
import { findCampaign, type Campaign } from '../../db/campaigns';
import type { Db } from '../../db/connection';
import type { Caller } from '../auth/api-key';
import { createCampaignBody } from '../campaigns/campaign-bodies';
import type { CampaignForm } from '../campaigns/campaign-form';
import { assertCampaignRules, CAMPAIGN_REFUSALS } from '../campaigns/campaign-rules';
import { launchCampaign } from '../campaigns/launch-campaign';
import { readContactFile, type ContactFileRefusal } from '../contact-file';
import type { ApiDependencies } from '../dependencies';
import { answers, byKey, endpoint, type Endpoint } from '../endpoint';
import { ApiError } from '../errors/api-error';
import {
  agentNotFound,
  contactFileRefusals,
  fileTooLarge,
  idempotencyInProgress,
  idempotencyKeyReused,
} from '../errors/refusals';
import { idempotencyKey, idempotent, presentIdempotent } from '../idempotency';
import { MAX_FILE_BYTES } from '../input/multipart';
import { presentCampaign } from '../presenters/campaign';
import { campaign } from '../resources/campaign';
import { object } from '../schema/field';
import type { RouteTools } from './route-tools';

export const createCampaignEndpoints = ({ deps, signer }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/campaigns/create',
    tag: 'Campaigns',
    summary: 'Create a campaign from a contact file',
    description:
      'It is active at once and dials within its window. The file is taken whole or not at all; repeated numbers are dialled once.',
    access: byKey,
    errors: 'envelope',
    input: { headers: object({ 'Idempotency-Key': idempotencyKey }), body: createCampaignBody },
    answer: answers('The campaign was created', campaign, { status: 201 }),
    refusals: [
      ...CAMPAIGN_REFUSALS,
      agentNotFound(),
      ...contactFileRefusals(),
      fileTooLarge(MAX_FILE_BYTES),
      idempotencyInProgress(),
      idempotencyKeyReused(),
    ],
    handle: ({ headers, body }, client) =>
      idempotent(deps, {
        client,
        key: headers['Idempotency-Key'] ?? null,
        operation: 'campaign.create',
        // Not the file's name: the same contacts are the same request.
        input: { ...body, file: body.file.content },
        newId: () => randomUUID(),
        run: (id) => createCampaign(deps, id, body, client),
        recover: (id) => createdBefore(deps.db, client.id, id),
        present: (created) => presentCampaign(created, signer),
      }),
    present: (answer, { ctx }) => presentIdempotent(answer, ctx),
  }),
];

async function createCampaign(
  deps: ApiDependencies,
  id: string,
  form: CampaignForm,
  client: Caller,
): Promise<Campaign> {
  const { db, settings, clock } = deps;
  const { legalWindow, allowedCountries } = settings;
  assertCampaignRules(form, { legalWindow, maxConcurrency: client.maxConcurrency, now: clock.now() });
  const agent = await findAgent(db, client.id, form.agentIdOrName);
  if (agent === undefined) throw agentNotFound();
  const file = await readContactFile({ ...form.file, rules: { allowedCountries } });
  if ('code' in file) throw fileRefused(file);
  return launchCampaign(deps, { id, form, client, agent, file, actor: client.actor });
}

/** Create answers what the campaign was when it was created. */
async function createdBefore(db: Db, clientId: string, id: string): Promise<Campaign | undefined> {
  const found = await findCampaign(db, clientId, id);
  return found && { ...found, status: 'active' };
}

function fileRefused({ code, message, details, detailsTotal }: ContactFileRefusal): ApiError {
  const rows = details.length === 0 ? {} : { details, detailsTotal };
  return new ApiError({ status: 400, code, message, ...rows });
}
