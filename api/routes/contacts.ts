import { contactPage } from '../../db/contacts';
import { CONTACT_STATES } from '../../workflows/domain/call-outcome';
import { storyCampaign } from '../campaigns/story-campaign';
import { answersInPieces, byKey, endpoint, type Endpoint } from '../endpoint';
import { campaignNotFound } from '../errors/refusals';
import { pageOf, paging } from '../input/fields';
import { presentContact } from '../presenters/contact';
import { pageStream } from '../presenters/json-stream';
import { pagination } from '../presenters/pagination';
import { contact } from '../resources/campaign';
import { pagination as paginationSchema } from '../resources/pagination';
import { about, list, object, optional } from '../schema/field';
import { oneOf } from '../schema/kinds';
import { campaignOf, campaignParams } from './campaign-target';
import type { RouteTools } from './route-tools';

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
