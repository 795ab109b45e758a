import Router from '@koa/router';
import Joi from 'joi';
import {
  contactFileOf,
  countCampaigns,
  findCampaign,
  listCampaigns,
  type Campaign,
} from '../../db/campaigns';
import type { Db } from '../../db/connection';
import { countContacts, listContacts } from '../../db/contacts';
import { CAMPAIGN_STATUSES } from '../../workflows/domain/campaign-status';
import { clientIdOf, type Reader } from '../auth/signed-query';
import { CANCEL, PAUSE, RESUME, switchCampaign, type CampaignSwitch } from '../campaigns/campaign-switch';
import { campaignNotFound, fileNotFound } from '../errors/refusals';
import { pageOf, paging, type Paging } from '../input/fields';
import { uuidParam } from '../input/path';
import { queryOf } from '../input/query';
import { endpoint, type ApiContext, type ApiState } from '../pipeline';
import {
  presentCampaignDetail,
  presentCampaignListItem,
  presentCampaignStatus,
} from '../presenters/campaign';
import { presentContact } from '../presenters/contact';
import { campaignPagination, pagination } from '../presenters/pagination';
import type { RouteTools } from './route-tools';

const CAMPAIGNS_QUERY = Joi.object<Paging & { status?: string }>({
  ...paging({ default: 20, most: 100 }),
  status: Joi.string().valid(...CAMPAIGN_STATUSES),
});

const CONTACT_STATES = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'duplicate',
  'dnd',
  'invalid',
  'cancelled',
  'expired',
];

const CONTACTS_QUERY = Joi.object<Paging & { state?: string }>({
  ...paging({ default: 50, most: 200 }),
  state: Joi.string().valid(...CONTACT_STATES),
});

const campaignId = (ctx: ApiContext): string => uuidParam(ctx, 'campaign_id');

export function campaignRoutes(tools: RouteTools): Router<ApiState> {
  const { deps, signer, authenticate } = tools;
  const { db } = deps;
  const router = new Router<ApiState>();

  router.get(
    '/api/campaigns',
    endpoint({
      authenticate,
      validate: (ctx) => queryOf(ctx, CAMPAIGNS_QUERY),
      handle: async (query, client) => {
        const filter = { clientId: client.id, ...(query.status && { status: query.status }) };
        const [campaigns, total] = await Promise.all([
          listCampaigns(db, filter, pageOf(query)),
          countCampaigns(db, filter),
        ]);
        return { campaigns, total, query };
      },
      present: ({ campaigns, total, query }) => ({
        campaigns: campaigns.map(presentCampaignListItem),
        pagination: campaignPagination(query, total),
      }),
    }),
  );

  router.get(
    '/api/campaigns/:campaign_id',
    endpoint({
      authenticate,
      validate: campaignId,
      handle: (id, client) => campaignOf(db, id, client.id),
      present: (campaign) => presentCampaignDetail(campaign, signer),
    }),
  );

  addContactsRoute(router, tools);
  addFileRoute(router, tools);
  addSwitchRoute(router, tools, 'pause', PAUSE);
  addSwitchRoute(router, tools, 'resume', RESUME);
  addSwitchRoute(router, tools, 'cancel', CANCEL);
  return router;
}

async function campaignOf(db: Db, id: string, clientId: string): Promise<Campaign> {
  const campaign = await findCampaign(db, clientId, id);
  if (campaign === undefined) throw campaignNotFound();
  return campaign;
}

function addContactsRoute(router: Router<ApiState>, { deps: { db }, authenticate }: RouteTools): void {
  router.get(
    '/api/campaigns/:campaign_id/contacts',
    endpoint({
      authenticate,
      validate: (ctx) => ({ id: campaignId(ctx), query: queryOf(ctx, CONTACTS_QUERY) }),
      handle: async ({ id, query }, client) => {
        await campaignOf(db, id, client.id);
        const filter = { campaignId: id, ...(query.state && { state: query.state }) };
        const [contacts, total] = await Promise.all([
          listContacts(db, filter, pageOf(query)),
          countContacts(db, filter),
        ]);
        return { contacts, total, query };
      },
      present: ({ contacts, total, query }) => ({
        data: contacts.map(presentContact),
        pagination: pagination(query, total),
      }),
    }),
  );
}

function addFileRoute(router: Router<ApiState>, { deps, authenticateReader }: RouteTools): void {
  const contactFile = async (id: string, reader: Reader): Promise<{ key: string; content: Buffer }> => {
    const key = await contactFileOf(deps.db, id, clientIdOf(reader));
    if (key === undefined) throw campaignNotFound();
    const content = await deps.storage.get(key);
    if (content === undefined) throw fileNotFound();
    return { key, content };
  };

  router.get(
    '/api/campaigns/:campaign_id/file',
    endpoint({
      authenticate: authenticateReader,
      validate: campaignId,
      handle: contactFile,
      present: ({ key, content }, ctx) => {
        ctx.type = 'text/csv; charset=utf-8';
        ctx.attachment(`contacts-${key}`);
        return content;
      },
    }),
  );
}

function addSwitchRoute(
  router: Router<ApiState>,
  { deps, authenticate }: RouteTools,
  name: string,
  wanted: CampaignSwitch,
): void {
  router.post(
    `/api/campaigns/:campaign_id/${name}`,
    endpoint({
      authenticate,
      validate: campaignId,
      handle: (id, client) => switchCampaign(deps, { campaignId: id, clientId: client.id }, wanted),
      present: presentCampaignStatus,
    }),
  );
}
