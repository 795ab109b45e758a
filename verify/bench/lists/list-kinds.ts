/** Defines the measured lists and how to read them, over HTTP and with the list's SQL. */
import { allAgents, listAgents } from '../../../db/agents/agents';
import { listCalls } from '../../../db/calls/history';
import { listCampaigns } from '../../../db/campaigns/campaigns';
import { listContacts } from '../../../db/campaigns/contacts';
import { listDeliveries } from '../../../db/webhooks/deliveries';
import type { Db } from '../../../db/kernel/connection';
import type { Page } from '../../../db/kernel/list-page';
import { CONTACTS_CAMPAIGN, SEEDED_AGENT, SEEDED_CAMPAIGN, type ListSizes } from './seed';

/** An organization with lists of one size, and the connections to read them. */
export interface Place {
  sizes: ListSizes;
  organizationId: string;
  db: Db;
  apiUrl: string;
  key: string;
}

export interface ListKind {
  name: string;
  length: (sizes: ListSizes) => number;
  pageSize: number;
  /** Path without `page` and `page_size`. */
  path: string;
  /** Reads the page with the list's own SQL. */
  read: (place: Place, page: Page) => Promise<unknown>;
}

export const CALL_HISTORY: ListKind = {
  name: 'call history',
  length: ({ calls }) => calls,
  pageSize: 50,
  path: '/api/call-history',
  read: ({ db, organizationId }, page) => listCalls(db, { organizationId }, page),
};

const AGENTS: ListKind = {
  name: 'agents',
  length: ({ agents }) => agents,
  pageSize: 10,
  path: '/api/agents',
  read: ({ db, organizationId }, page) => listAgents(db, { organizationId, publishedOnly: false }, page),
};

const CAMPAIGNS: ListKind = {
  name: 'campaigns',
  length: ({ campaigns }) => campaigns,
  pageSize: 20,
  path: '/api/campaigns/',
  read: ({ db, organizationId }, page) => listCampaigns(db, { organizationId }, page),
};

const CONTACTS: ListKind = {
  name: 'contacts',
  length: ({ contacts }) => contacts,
  pageSize: 50,
  path: `/api/campaigns/${CONTACTS_CAMPAIGN}/contacts`,
  read: ({ db }, page) => listContacts(db, { campaignId: CONTACTS_CAMPAIGN }, page),
};

const DELIVERIES: ListKind = {
  name: 'webhook deliveries',
  length: ({ deliveries }) => deliveries,
  pageSize: 50,
  path: '/api/webhook-deliveries',
  read: ({ db, organizationId }, page) => listDeliveries(db, { organizationId }, page),
};

export const KINDS: readonly ListKind[] = [CALL_HISTORY, AGENTS, CAMPAIGNS, CONTACTS, DELIVERIES];

interface OtherRead {
  name: string;
  /** True if the total is counted, which takes longer the more rows match. */
  isCounted: boolean;
  path: string;
  read: (place: Place) => Promise<unknown>;
}

const FIRST_PAGE: Page = { limit: 50, offset: 0 };

const filtered = (
  name: string,
  parameter: string,
  filter: Omit<Parameters<typeof listCalls>[1], 'organizationId'>,
  isCounted = true,
) => ({
  isCounted,
  name: `call history ${name}, page 1`,
  path: `/api/call-history?page=1&page_size=50&${parameter}`,
  read: ({ db, organizationId }: Place) => listCalls(db, { organizationId, ...filter }, FIRST_PAGE),
});

const DAY_MS = 86_400_000;

/** Returns reads without pages or with a counted total. The last 30 days contain the same number of calls in both databases. */
export function otherReads(now: number): OtherRead[] {
  const lastMonth = new Date(now - 30 * DAY_MS).toISOString();
  return [
    filtered('of one agent', `agent_id=${SEEDED_AGENT}`, { agentId: SEEDED_AGENT }),
    filtered('of one campaign', `campaign_id=${SEEDED_CAMPAIGN}`, { campaignId: SEEDED_CAMPAIGN }),
    filtered('with a rare status', 'status=error', { status: 'error' }),
    filtered('with the commonest status', 'status=completed', { status: 'completed' }),
    filtered('of the last 30 days', `from=${lastMonth}`, { from: lastMonth }, false),
    filtered('up to 30 days ago', `to=${lastMonth}`, { to: lastMonth }),
    filtered('by a word of every transcript', 'search=people', { search: 'people' }),
    {
      name: 'agents by a search, page 1',
      isCounted: true,
      path: '/api/agents?page=1&page_size=10&search=support',
      read: ({ db, organizationId }) =>
        listAgents(db, { organizationId, publishedOnly: false, search: 'support' }, { limit: 10, offset: 0 }),
    },
    {
      name: 'agents without page, all',
      isCounted: true,
      path: '/api/agents',
      read: ({ db, organizationId }) => allAgents(db, { organizationId, publishedOnly: false }),
    },
  ];
}
