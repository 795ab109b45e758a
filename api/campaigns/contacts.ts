/** Contacts of a campaign and of the whole organization, with their outcomes. */
import type { Campaign } from '../../db/campaigns/campaigns';
import {
  contactPage,
  type Contact,
  type ContactAttempt,
  type SoughtPerson,
  findContacts,
} from '../../db/campaigns/contacts';
import { CONTACT_STATES } from '../../domain/call-outcome';
import { scheduleOf } from '../../domain/calling-window';
import { contactStory, NEXT_ACTIONS, type StoryCampaign } from '../../domain/contact-story';
import { ANY_NUMBER, normalisePhone } from '../../domain/phone-number';
import { redialTermsOf } from '../../domain/redial';
import type { RouteTools } from '../dependencies';
import { answers, answersInPieces, byKey, endpoint, type Endpoint } from '../http/endpoint';
import { pageOf, paging } from '../http/input/fields';
import { iso, pageStream, presentPagination, pagination } from '../http/responses';
import { flag, freeObject, id, integer, notBlank, oneOf, text, timestamp } from '../http/schema/kinds';
import { campaignNotFound } from '../http/errors/refusals';
import { about, list, nullable, object, optional, type ValueOf } from '../http/schema/field';
import { campaignOf, campaignParams } from './schema';

const MAX_SEARCH = 255;

/** May contain a name or a number, because query strings aren't logged. */
export const personSearch = about(
  notBlank(MAX_SEARCH),
  'A phone number in any form that dispatch accepts, or the beginning of a name',
  'asha',
);

const CONTACTS_QUERY = object({
  ...paging({ default: 50, max: 200 }),
  state: about(optional(oneOf(...CONTACT_STATES)), 'Contacts in this state'),
  search: optional(personSearch),
});

const FIND_QUERY = object({ ...paging({ default: 50, max: 200 }), search: optional(personSearch) });

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
      object({ data: list(contact), pagination }, { name: 'ContactPage' }),
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
      pageStream(
        batches,
        (contact) => presentContact(contact, campaign, now),
        presentPagination(query, total),
      ),
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
      object({ data: list(foundContact), pagination }, { name: 'FoundContactPage' }),
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
      pagination: presentPagination(query, total),
    }),
  });

export function soughtPerson(search: string): SoughtPerson {
  const reading = normalisePhone(search, ANY_NUMBER);
  return 'e164' in reading ? { phoneNumber: reading.e164 } : { name: search.trim() };
}

/** Returns the fields of a campaign that the description of its contacts depends on. */
function storyCampaign(campaign: Campaign): StoryCampaign {
  const { status, statusReason } = campaign;
  return { ...redialTermsOf(campaign), status, statusReason, schedule: scheduleOf(campaign) };
}

const foundContact = object(
  {
    campaign_id: id(),
    campaign_name: text(),
    row: about(integer(1), 'Row number in the file. The header is row 1'),
    name: text(),
    phone_number: about(text(), 'E.164'),
    state: oneOf(...CONTACT_STATES),
  },
  { name: 'FoundContact' },
);

const contact = object(
  {
    row: about(integer(1), 'Row number in the file. The header is row 1'),
    name: text(),
    phone_number: about(text(), 'E.164'),
    variables: about(freeObject(), 'Extra columns of the file'),
    state: oneOf(...CONTACT_STATES),
    reason: about(nullable(text()), 'Reason why it was not called or not reached'),
    attempts: list(
      object(
        {
          attempt: about(
            integer(1),
            'Number of the attempt. A callback has the number of the attempt before it',
          ),
          is_callback: about(flag(), 'True if the person requested this call in an earlier one'),
          call_id: text(),
          call_status: text(),
          end_reason: about(nullable(text()), 'Who or what ended it. Null while it is in progress'),
          started_at: about(nullable(timestamp()), 'Time of the dial request to the carrier'),
          dialed_at: nullable(timestamp()),
          ringing_at: nullable(timestamp()),
          answered_at: nullable(timestamp()),
          ended_at: nullable(timestamp()),
          duration_ms: about(
            integer(0),
            'Milliseconds from answer to end. 0 if unanswered or still in progress',
          ),
        },
        { name: 'ContactAttempt' },
      ),
    ),
    next_attempt_at: about(
      nullable(timestamp()),
      'Due time of its redial or callback, regardless of the calling window',
    ),
    do_not_call: about(flag(), 'True if the person asked in a call not to be called again'),
    why: about(
      nullable(text()),
      'Text for people: why it was not reached or is not called now. Null if it was reached or is being called',
      'Outside the calling window until 2026-11-23 02:30 UTC',
    ),
    next: object(
      {
        action: about(oneOf(...NEXT_ACTIONS), 'Next action'),
        at: about(
          nullable(timestamp()),
          'Earliest time of the action. Null if it depends on a free line, a person or the current call',
        ),
        sentence: about(
          text(),
          'Text for people',
          'It is dialled again from 2026-11-23 02:45 UTC on, as soon as a line is free, attempt 2 of 3',
        ),
      },
      { name: 'ContactNextStep' },
    ),
  },
  { name: 'Contact' },
);
type ContactBody = ValueOf<typeof contact>;

function presentContact(contact: Contact, campaign: StoryCampaign, now: number): ContactBody {
  const { why, next } = contactStory(
    {
      state: contact.state,
      reason: contact.reason,
      attempts: contact.attemptsCounted,
      nextAttemptAt: contact.nextAttemptAt?.getTime() ?? null,
      isCallback: contact.isCallback,
      lastEndReason: contact.lastEndReason,
      openStage: contact.openStage,
      isNumberBusy: contact.isNumberBusy,
      lineKeptUntil: contact.lineKeptUntil?.getTime() ?? null,
    },
    campaign,
    now,
  );
  return {
    row: contact.row,
    name: contact.name,
    phone_number: contact.phoneNumber,
    variables: contact.variables,
    state: contact.state,
    reason: contact.reason,
    attempts: contact.attempts.map(presentAttempt),
    // While a redial is in progress, its due time is still stored but no longer shown.
    next_attempt_at: contact.state === 'pending' ? iso(contact.nextAttemptAt) : null,
    do_not_call: contact.doNotCall,
    why,
    next: {
      action: next.action,
      at: next.at === null ? null : iso(new Date(next.at)),
      sentence: next.sentence,
    },
  };
}

function presentAttempt(attempt: ContactAttempt): ContactBody['attempts'][number] {
  return {
    attempt: attempt.attempt,
    is_callback: attempt.isCallback,
    call_id: attempt.callId,
    call_status: attempt.callStatus,
    end_reason: attempt.endReason,
    started_at: iso(attempt.startedAt),
    dialed_at: iso(attempt.dialedAt),
    ringing_at: iso(attempt.ringingAt),
    answered_at: iso(attempt.answeredAt),
    ended_at: iso(attempt.endedAt),
    duration_ms: attempt.durationMs,
  };
}
