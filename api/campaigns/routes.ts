import { recipientsOf } from '../../db/campaigns/completion-mails';
import { listCampaigns } from '../../db/campaigns/campaigns';
import { CAMPAIGN_STATUSES } from '../../domain/campaign-status';
import { updateCampaignBody } from './campaign-bodies';
import { CAMPAIGN_REFUSALS } from './campaign-rules';
import { CANCEL, PAUSE, RESUME, switchCampaign, type CampaignSwitch } from './campaign-switch';
import { assertMayResume } from './may-resume';
import { pauseAll, resumeAll } from './switch-all';
import { updateCampaign } from './update-campaign';
import { answers, byKey, endpoint, type Endpoint } from '../http/endpoint';
import {
  campaignNotEditable,
  campaignNotFound,
  campaignNotPaused,
  noFieldsToUpdate,
  numberNotYours,
} from '../http/errors/refusals';
import { pageOf, paging } from '../http/input/fields';
import {
  presentCampaignDetail,
  presentCampaignListItem,
  presentCampaignStanding,
  presentUpdatedCampaign,
} from './present';
import { campaignPagination } from '../http/presenters/pagination';
import {
  allPaused,
  allResumed,
  campaignDetail,
  campaignListItem,
  campaignStanding,
  updatedCampaign,
} from './resource';
import { campaignPagination as paginationSchema } from '../http/resources/pagination';
import { about, list, object, optional } from '../http/schema/field';
import { oneOf } from '../http/schema/kinds';
import { campaignFileEndpoints } from './files';
import { campaignOf, campaignParams } from './campaign-target';
import { contactEndpoints } from './contacts-route';
import type { RouteTools } from '../dependencies/route-tools';

const CAMPAIGNS_QUERY = object({
  ...paging({ default: 20, most: 100 }),
  status: about(optional(oneOf(...CAMPAIGN_STATUSES)), 'Campaigns with this status'),
});

export const campaignEndpoints = (tools: RouteTools): Endpoint[] => [
  listing(tools),
  reading(tools),
  updating(tools),
  switching(tools, PAUSE, {
    name: 'pause',
    summary: 'Pause a campaign',
    description: 'After the response nothing more is dialled; live calls finish. Repeating it has no effect.',
  }),
  switching(tools, RESUME, {
    name: 'resume',
    summary: 'Resume a paused campaign',
    description: 'The campaign dials again as soon as its window is open.',
  }),
  switching(tools, CANCEL, {
    name: 'cancel',
    summary: 'Cancel a campaign permanently',
    description: 'After the response nothing more is dialled; live calls finish. Repeating it has no effect.',
  }),
  pausingAll(tools),
  resumingAll(tools),
  ...contactEndpoints(tools),
  ...campaignFileEndpoints(tools),
];

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
      object({ campaigns: list(campaignListItem), pagination: paginationSchema }, { name: 'CampaignPage' }),
    ),
    handle: ({ query }, organization) =>
      listCampaigns(
        db,
        { organizationId: organization.id, ...(query.status && { status: query.status }) },
        pageOf(query),
      ),
    present: ({ items, total }, { input: { query } }) => ({
      campaigns: items.map(presentCampaignListItem),
      pagination: campaignPagination(query, total),
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
