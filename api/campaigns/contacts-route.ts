import { contactPage } from '../../db/campaigns/contacts';
import { CONTACT_STATES } from '../../workflows/domain/call-outcome';
import { storyCampaign } from './story-campaign';
import { answersInPieces, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { campaignNotFound } from '../http/errors/refusals';
import { pageOf, paging } from '../http/input/fields';
import { presentContact } from './present-contact';
import { pageStream } from '../http/presenters/json-stream';
import { pagination } from '../http/presenters/pagination';
import { contact } from './resource';
import { pagination as paginationSchema } from '../http/resources/pagination';
import { about, list, object, optional } from '../http/schema/field';
import { oneOf } from '../http/schema/kinds';
import { campaignOf, campaignParams } from './campaign-target';
import type { RouteTools } from '../dependencies/route-tools';

const CONTACTS_QUERY = object({
  ...paging({ default: 50, most: 200 }),
  state: about(optional(oneOf(...CONTACT_STATES)), 'Contacts in this state'),
});

export const contactEndpoints = ({ deps: { db, clock } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/contacts',
    tag: 'Campaigns',
    summary: "List a campaign's contacts and what became of each, in the order of the file",
    access: byKey,
    scope: 'read',
    input: { params: campaignParams, query: CONTACTS_QUERY },
    answer: answersInPieces(
      'A page of contacts',
      object({ data: list(contact), pagination: paginationSchema }, { name: 'ContactPage' }),
    ),
    refusals: [campaignNotFound()],
    handle: async ({ params, query }, client) => {
      const campaign = await campaignOf(db, params.campaign_id, client.id);
      const filter = { campaignId: campaign.id, ...(query.state && { state: query.state }) };
      return {
        ...(await contactPage(db, filter, pageOf(query))),
        campaign: storyCampaign(campaign),
        now: clock.now(),
      };
    },
    present: ({ batches, total, campaign, now }, { input: { query } }) =>
      pageStream(batches, (contact) => presentContact(contact, campaign, now), pagination(query, total)),
  }),
];
