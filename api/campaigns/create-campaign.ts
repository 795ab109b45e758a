import { randomUUID } from 'node:crypto';
import { findCampaign, type Campaign } from '../../db/campaigns/campaigns';
import type { Db } from '../../db/kernel/connection';
import type { Caller } from '../http/auth/api-key';
import { createCampaignBody } from './campaign-bodies';
import type { CampaignForm } from './campaign-form';
import { checkedCampaign, CREATION_REFUSALS } from './checked-campaign';
import { confirmRecipients } from './confirm-recipients';
import { launchCampaign } from './launch-campaign';
import type { ApiDependencies } from '../dependencies';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { idempotencyInProgress, idempotencyKeyReused } from '../http/errors/refusals';
import { idempotencyKey, idempotent, presentIdempotent } from '../http/idempotency';
import { presentCampaign } from './present';
import { campaign } from './resource';
import { object } from '../http/schema/field';
import type { RouteTools } from '../dependencies/route-tools';

export const createCampaignEndpoints = ({ deps, signer }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/campaigns/create',
    tag: 'Campaigns',
    summary: 'Create a campaign from a contact file',
    description:
      'The campaign is active immediately and dials within its window. A file with any fault is rejected as a whole. Duplicate numbers are dialled once.',
    access: byKey,
    scope: 'operate',
    errors: 'envelope',
    input: { headers: object({ 'Idempotency-Key': idempotencyKey }), body: createCampaignBody },
    answer: answers('The new campaign', campaign, { status: 201 }),
    refusals: [...CREATION_REFUSALS, idempotencyInProgress(), idempotencyKeyReused()],
    handle: ({ headers, body }, organization) =>
      idempotent(deps, {
        organization,
        key: headers['Idempotency-Key'] ?? null,
        operation: 'campaign.create',
        // Leave out the file's name: the same contacts are the same request.
        input: { ...body, file: body.file.sha256 },
        newId: () => randomUUID(),
        run: (id) => createCampaign(deps, id, body, organization),
        recover: (id) => createdBefore(deps.db, organization.id, id),
        present: (created) => presentCampaign(created, signer),
      }),
    present: (answer, { ctx }) => presentIdempotent(answer, ctx),
  }),
];

async function createCampaign(
  deps: ApiDependencies,
  id: string,
  form: CampaignForm,
  organization: Caller,
): Promise<Campaign> {
  const { agent, file } = await checkedCampaign(deps, form, organization);
  const campaign = await launchCampaign(deps, {
    id,
    form,
    organization,
    agent,
    file,
    actor: organization.actor,
  });
  await confirmRecipients(deps, campaign);
  return campaign;
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
