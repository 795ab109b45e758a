import { randomUUID } from 'node:crypto';
import { listCampaigns } from '../../db/campaigns/campaigns';
import { recipientsOf } from '../../db/campaigns/completion-mails';
import { CAMPAIGN_STATUSES } from '../../domain/campaign-status';
import { Shares } from '../../runtime/shares';
import type { RouteTools } from '../dependencies';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { idempotencyKey, idempotent, presentIdempotent } from '../http/idempotency';
import { pageOf, paging } from '../http/input/fields';
import { presentCampaignPagination, campaignPagination } from '../http/responses';
import { oneOf } from '../http/schema/kinds';
import {
  campaignNotEditable,
  campaignNotFound,
  campaignNotPaused,
  contactListNotFound,
  idempotencyInProgress,
  idempotencyKeyReused,
  noFieldsToUpdate,
  numberNotYours,
  shareTaken,
  tooManyContactsLeft,
} from '../http/errors/refusals';
import { about, list, object, optional } from '../http/schema/field';
import { appending } from './append';
import { downloadingFile, previewingFile } from './contact-files';
import { contactEndpoints } from './contacts';
import { createCampaign, createdBefore, CREATION_REFUSALS } from './create';
import { liveEndpoints } from './live/routes';
import {
  allPaused,
  allResumed,
  campaign,
  campaignDetail,
  campaignListItem,
  campaignStanding,
  presentCampaign,
  presentCampaignDetail,
  presentCampaignListItem,
  presentCampaignStanding,
  presentUpdatedCampaign,
  updatedCampaign,
} from './present';
import { presentSimulatedCampaign, simulatedCampaign } from './present-simulated';
import { downloadingReport } from './report';
import {
  campaignOf,
  campaignParams,
  createCampaignBody,
  type CampaignForm,
  simulateCampaignBody,
  updateCampaignBody,
} from './schema';
import { forecastCampaign, MAX_FORECAST, simulateCampaign } from './simulate';
import {
  assertMayResume,
  CANCEL,
  PAUSE,
  pauseAll,
  RESUME,
  resumeAll,
  switchCampaign,
  type CampaignSwitch,
  updateCampaign,
} from './change';
import { CAMPAIGN_REFUSALS } from './terms';

const CAMPAIGNS_QUERY = object({
  ...paging({ default: 20, max: 100 }),
  status: about(optional(oneOf(...CAMPAIGN_STATUSES)), 'Campaigns with this status'),
});

/**
 * A run takes up to half a second of CPU in small pieces. Two at a time leave enough CPU for other requests. Each organization may run one.
 */
const RUNS = { max: 2, maxPerOwner: 1, waiting: 40, waitingPerOwner: 10, waitMs: 8_000 };

/** Fixed paths come before those with an id, whose pattern would match `create` and `simulate`. */
export function campaignEndpoints(tools: RouteTools): Endpoint[] {
  const runs = new Shares(RUNS);
  return [
    creating(tools),
    simulating(tools, runs),
    forecasting(tools, runs),
    previewingFile(tools),
    listing(tools),
    reading(tools),
    updating(tools),
    switching(tools, PAUSE, {
      name: 'pause',
      summary: 'Pause a campaign',
      description:
        'After the response nothing more is dialled; live calls finish. Repeating it has no effect.',
    }),
    switching(tools, RESUME, {
      name: 'resume',
      summary: 'Resume a paused campaign',
      description: 'The campaign dials again as soon as its window is open.',
    }),
    switching(tools, CANCEL, {
      name: 'cancel',
      summary: 'Cancel a campaign permanently',
      description:
        'After the response nothing more is dialled; live calls finish. Repeating it has no effect.',
    }),
    pausingAll(tools),
    resumingAll(tools),
    ...contactEndpoints(tools),
    appending(tools),
    downloadingFile(tools),
    downloadingReport(tools),
    ...liveEndpoints(tools),
  ];
}

const creating = ({ deps, signer }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/campaigns/create',
    tag: 'Campaigns',
    summary: 'Create a campaign from a contact file or list',
    description:
      'Send either `csv_file` or `contact_list_id`. A list is copied as it is now. The campaign is active immediately and dials within its window. A file with any fault is rejected as a whole. Duplicate numbers are dialled once.',
    access: byKey,
    scope: 'operate',
    errors: 'envelope',
    input: { headers: object({ 'Idempotency-Key': idempotencyKey }), body: createCampaignBody },
    answer: answers('The new campaign', campaign, { status: 201 }),
    refusals: [...CREATION_REFUSALS, contactListNotFound(), idempotencyInProgress(), idempotencyKeyReused()],
    handle: ({ headers, body }, organization) =>
      idempotent(deps, {
        organization,
        key: headers['Idempotency-Key'] ?? null,
        operation: 'campaign.create',
        input: requestOf(body),
        newId: () => randomUUID(),
        run: (id) => createCampaign(deps, id, body, organization),
        recover: (id) => createdBefore(deps.db, organization.id, id),
        present: (created) => presentCampaign(created, signer),
      }),
    present: (answer, { ctx }) => presentIdempotent(answer, ctx),
  });

/** Omits the file's name, so that the same contacts in a renamed file are the same request. */
const requestOf = ({ source, ...terms }: CampaignForm): object =>
  'file' in source ? { ...terms, file: source.file.sha256 } : { ...terms, ...source };

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/',
    tag: 'Campaigns',
    summary: 'List campaigns, newest first',
    access: byKey,
    scope: 'read',
    input: { query: CAMPAIGNS_QUERY },
    answer: answers(
      'A page of campaigns',
      object({ campaigns: list(campaignListItem), pagination: campaignPagination }, { name: 'CampaignPage' }),
    ),
    handle: ({ query }, organization) =>
      listCampaigns(
        db,
        { organizationId: organization.id, ...(query.status && { status: query.status }) },
        pageOf(query),
      ),
    present: ({ items, total }, { input: { query } }) => ({
      campaigns: items.map(presentCampaignListItem),
      pagination: presentCampaignPagination(query, total),
    }),
  });

const reading = ({ deps: { db, settings }, signer }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id',
    tag: 'Campaigns',
    summary: 'Get a campaign and its statistics',
    access: byKey,
    scope: 'read',
    input: { params: campaignParams },
    answer: answers('The campaign', campaignDetail),
    refusals: [campaignNotFound()],
    handle: async ({ params }, organization) => {
      const campaign = await campaignOf(db, params.campaign_id, organization.id);
      return { ...campaign, recipients: await recipientsOf(db, campaign.id, settings.mailConfirmedDomains) };
    },
    present: (campaign) => presentCampaignDetail(campaign, signer),
  });

const updating = ({ deps }: RouteTools) =>
  endpoint({
    method: 'put',
    path: '/api/campaigns/:campaign_id',
    tag: 'Campaigns',
    summary: 'Update a campaign that has not ended',
    description:
      'Only the supplied fields change. The campaign is paused first and must be resumed by a request. A rejected update does not pause it.',
    access: byKey,
    scope: 'operate',
    input: { params: campaignParams, body: updateCampaignBody },
    answer: answers('The updated campaign, which is now paused', updatedCampaign),
    refusals: [
      ...CAMPAIGN_REFUSALS,
      noFieldsToUpdate(),
      campaignNotFound(),
      campaignNotEditable('completed'),
    ],
    handle: ({ params, body }, organization) =>
      updateCampaign(
        deps,
        { campaignId: params.campaign_id, organizationId: organization.id },
        body,
        organization.actor,
      ),
    present: presentUpdatedCampaign,
  });

const switching = (
  { deps }: RouteTools,
  wanted: CampaignSwitch,
  { name, ...texts }: { name: string; summary: string; description: string },
) =>
  endpoint({
    ...texts,
    method: 'post',
    path: `/api/campaigns/:campaign_id/${name}`,
    tag: 'Campaigns',
    access: byKey,
    scope: 'operate',
    input: { params: campaignParams },
    answer: answers('Current status of the campaign', campaignStanding),
    refusals: [
      campaignNotFound(),
      ...(wanted === RESUME
        ? [campaignNotPaused('active'), numberNotYours()]
        : [campaignNotEditable('completed')]),
    ],
    async handle({ params }, organization) {
      const target = { campaignId: params.campaign_id, organizationId: organization.id };
      if (wanted === RESUME) await assertMayResume(deps, target);
      return switchCampaign(deps, target, wanted, organization.actor);
    },
    present: presentCampaignStanding,
  });

const pausingAll = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/campaigns/pause-all',
    tag: 'Campaigns',
    summary: 'Pause every campaign that is active, scheduled or outside its window',
    description:
      'After the response none of them dials; live calls finish. If it fails midway, the campaigns paused so far stay paused. Repeat it to pause the rest.',
    access: byKey,
    scope: 'operate',
    input: {},
    answer: answers('Number of campaigns paused', allPaused),
    handle: (_input, { id: organizationId, actor }) => pauseAll(deps, { organizationId, actor }),
    present: ({ paused }) => ({ paused }),
  });

const resumingAll = ({ deps }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/campaigns/resume-all',
    tag: 'Campaigns',
    summary: 'Resume the campaigns that pause-all paused',
    description:
      'Campaigns that were paused before, or that were paused, resumed or changed individually since then, stay unchanged.',
    access: byKey,
    scope: 'operate',
    input: {},
    answer: answers('Number of campaigns resumed', allResumed),
    handle: (_input, { id: organizationId, actor }) => resumeAll(deps, { organizationId, actor }),
    present: ({ resumed, leftPaused }) => ({ resumed, left_paused: leftPaused }),
  });

const simulating = ({ deps }: RouteTools, shares: Shares) =>
  endpoint({
    method: 'post',
    path: '/api/campaigns/simulate',
    tag: 'Campaigns',
    summary: 'Simulate a campaign without making calls',
    description:
      "Accepts and rejects the same requests as create. It stores and starts nothing. It runs the engine's own rules over assumed calls, so the same request at the same time has the same result.",
    access: byKey,
    scope: 'read',
    errors: 'envelope',
    input: { body: simulateCampaignBody },
    answer: answers('The simulated campaign', simulatedCampaign),
    refusals: CREATION_REFUSALS,
    handle: async ({ body }, organization) => {
      const simulated = await shares.run(organization.id, () => simulateCampaign(deps, body, organization));
      if (simulated === null) throw shareTaken();
      return simulated;
    },
    present: presentSimulatedCampaign,
  });

const forecasting = ({ deps }: RouteTools, shares: Shares) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/forecast',
    tag: 'Campaigns',
    summary: 'Forecast the rest of a campaign',
    description:
      'Simulates the remaining contacts from now on, as if the campaign were not paused. Once twenty of its calls are over, their answer rate and talk time are used as assumptions.',
    access: byKey,
    scope: 'read',
    input: { params: campaignParams },
    answer: answers('The forecast', simulatedCampaign),
    refusals: [campaignNotFound(), campaignNotEditable('completed'), tooManyContactsLeft(MAX_FORECAST)],
    handle: async ({ params }, organization) => {
      const forecast = await shares.run(organization.id, () =>
        forecastCampaign(deps, params.campaign_id, organization),
      );
      if (forecast === null) throw shareTaken();
      return forecast;
    },
    present: presentSimulatedCampaign,
  });
