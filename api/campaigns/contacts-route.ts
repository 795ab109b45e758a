import { contactPage, findContacts } from '../../db/campaigns/contacts';
import { CONTACT_STATES } from '../../domain/call-outcome';
import { storyCampaign } from './story-campaign';
import { answers, answersInPieces, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { campaignNotFound } from '../http/errors/refusals';
import { pageOf, paging } from '../http/input/fields';
import { presentContact } from './present-contact';
import { pageStream } from '../http/presenters/json-stream';
import { pagination } from '../http/presenters/pagination';
import { contact, foundContact } from './resource';
import { personSearch, soughtPerson } from './sought-person';
import { pagination as paginationSchema } from '../http/resources/pagination';
import { about, list, object, optional } from '../http/schema/field';
import { oneOf } from '../http/schema/kinds';
import { campaignOf, campaignParams } from './campaign-target';
import type { RouteTools } from '../dependencies/route-tools';

const CONTACTS_QUERY = object({
  ...paging({ default: 50, most: 200 }),
  state: about(optional(oneOf(...CONTACT_STATES)), 'Contacts in this state'),
  search: optional(personSearch),
});

const FIND_QUERY = object({ ...paging({ default: 50, most: 200 }), search: optional(personSearch) });

const NOBODY = { items: [], total: 0 };

export const contactEndpoints = (tools: RouteTools): Endpoint[] => [listing(tools), finding(tools)];

const listing = ({ deps: { db, clock } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/contacts',
    tag: 'Campaigns',
    summary: "List a campaign's contacts with their outcomes, in the order of the file",
    access: byKey,
    scope: 'read',
    input: { params: campaignParams, query: CONTACTS_QUERY },
    answer: answersInPieces(
      'A page of contacts',
      object({ data: list(contact), pagination: paginationSchema }, { name: 'ContactPage' }),
    ),
    refusals: [campaignNotFound()],
    handle: async ({ params, query }, organization) => {
      const campaign = await campaignOf(db, params.campaign_id, organization.id);
      const filter = {
        campaignId: campaign.id,
        ...(query.state && { state: query.state }),
        ...(query.search !== undefined && { person: soughtPerson(query.search) }),
      };
      return {
        ...(await contactPage(db, filter, pageOf(query))),
        campaign: storyCampaign(campaign),
        now: clock.now(),
      };
    },
    present: ({ batches, total, campaign, now }, { input: { query } }) =>
      pageStream(batches, (contact) => presentContact(contact, campaign, now), pagination(query, total)),
  });

const finding = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/contacts',
    tag: 'Campaigns',
    summary: 'Find a person in all campaigns, newest campaign first',
    description:
      'Finds at most 1,000 contacts; without `search` the list is empty. Names match by their beginning, in any case.',
    access: byKey,
    scope: 'read',
    input: { query: FIND_QUERY },
    answer: answers(
      'A page of contacts',
      object({ data: list(foundContact), pagination: paginationSchema }, { name: 'FoundContactPage' }),
    ),
    handle: ({ query }, organization) =>
      query.search === undefined
        ? NOBODY
        : findContacts(
            db,
            { organizationId: organization.id, person: soughtPerson(query.search) },
            pageOf(query),
          ),
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map((found) => ({
        campaign_id: found.campaignId,
        campaign_name: found.campaignName,
        row: found.row,
        name: found.name,
        phone_number: found.phoneNumber,
        state: found.state,
      })),
      pagination: pagination(query, total),
    }),
  });
