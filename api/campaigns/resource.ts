import { CONTACT_STATES } from '../../domain/call-outcome';
import { MAIL_STATUSES } from '../../domain/completion-mail';
import { NEXT_ACTIONS } from '../../domain/contact-story';
import { CONTACT_FILE_FORMATS } from '../../domain/contact-file-format';
import { CAMPAIGN_STATS, CAMPAIGN_STATUSES } from '../../domain/campaign-status';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { address, flag, freeObject, id, integer, oneOf, text, timestamp } from '../http/schema/kinds';
import { fieldOf } from '../http/schema/shape';
import { timeRange, zonelessTimestamp } from './resource-times';

const campaignStatus = () =>
  about(
    oneOf(...CAMPAIGN_STATUSES),
    "paused is what a person asked for; scheduled before from_date and paused_out_of_range outside window and weekdays are the service's own",
  );

const NAMED = {
  id: id(),
  campaign_name: text(),
  campaign_status: campaignStatus(),
};

const SCHEDULE = {
  days_of_week: about(text(), 'Comma-separated', 'monday,tuesday'),
  time_range_from: about(timeRange(), 'UTC, inclusive', '04:00:00Z'),
  time_range_to: about(timeRange(), 'UTC, exclusive', '10:30:00Z'),
};

const FIELDS = {
  ...NAMED,
  ...SCHEDULE,
  client_id: id(),
  agent_id: id(),
  excel_blob_url: about(address(), 'The stored contact file, signed for 24 hours'),
  contact_source_type: about(oneOf(...CONTACT_FILE_FORMATS), 'What the file is by its content'),
  max_retries: about(integer(1, 10), 'Most dials of a contact; 1 is no redial'),
  retry_after_mins: about(integer(0, 1440), 'Minutes from the end of a dial to the next'),
  call_concurrency: about(integer(1), 'Most calls of the campaign at once'),
  start_date: about(zonelessTimestamp(), 'First day', '2026-11-02T00:00:00'),
  end_date: about(zonelessTimestamp(), 'Last day', '2099-12-31T23:59:59'),
  notification_emails: list(text()),
  webhook_url: about(nullable(text()), 'campaign_webhook_url of the request'),
  perform_dnd_check: flag(),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const campaign = object(FIELDS, { name: 'Campaign' });
export type CampaignBody = ValueOf<typeof campaign>;

export const campaignDetail = object(
  {
    ...FIELDS,
    per_call_webhook_url: about(nullable(text()), 'Notified of each call'),
    stats: fieldOf(CAMPAIGN_STATS),
    status_reason: about(nullable(text()), 'Why the status is what it is'),
    completion_mails: about(
      list(
        object({ email: text(), status: oneOf(...MAIL_STATUSES, 'confirmed') }, { name: 'CompletionMail' }),
      ),
      'The report to each of notification_emails. Before the end: confirmed or unconfirmed. An unconfirmed address gets none',
    ),
  },
  { name: 'CampaignDetail' },
);
export type CampaignDetailBody = ValueOf<typeof campaignDetail>;

export const campaignListItem = object(
  {
    ...NAMED,
    agent_id: id(),
    call_concurrency: integer(1),
    total_leads: about(integer(0), 'Contacts'),
    completed_calls: about(integer(0), 'Contacts that were reached'),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { name: 'CampaignListItem' },
);
export type CampaignListItemBody = ValueOf<typeof campaignListItem>;

/** After resume, pause and cancel. */
export const campaignStanding = object({ ...NAMED, updated_at: timestamp() }, { name: 'CampaignStanding' });
export type CampaignStandingBody = ValueOf<typeof campaignStanding>;

export const allPaused = object({ paused: integer(0) }, { name: 'AllPaused' });

export const allResumed = object(
  {
    resumed: integer(0),
    left_paused: about(
      integer(0),
      "Those whose agent may not call from its number: it is another organization's",
    ),
  },
  { name: 'AllResumed' },
);

export const updatedCampaign = object(
  { ...NAMED, ...SCHEDULE, call_concurrency: integer(1), updated_at: timestamp() },
  { name: 'UpdatedCampaign' },
);
export type UpdatedCampaignBody = ValueOf<typeof updatedCampaign>;

export const foundContact = object(
  {
    campaign_id: id(),
    campaign_name: text(),
    row: about(integer(1), "The file's row; the header is 1"),
    name: text(),
    phone_number: about(text(), 'E.164'),
    state: oneOf(...CONTACT_STATES),
  },
  { name: 'FoundContact' },
);

export const contact = object(
  {
    row: about(integer(1), "The file's row; the header is 1"),
    name: text(),
    phone_number: about(text(), 'E.164'),
    variables: about(freeObject(), 'The extra columns'),
    state: oneOf(...CONTACT_STATES),
    reason: about(nullable(text()), 'Why it was not called or not reached'),
    attempts: list(
      object(
        {
          attempt: about(integer(1), 'Which dial of the contact; of a callback the last before it'),
          is_callback: about(flag(), 'Whether the person had asked for this call in an earlier one'),
          call_id: text(),
          call_status: text(),
          end_reason: about(nullable(text()), 'Who or what ended it; null while it is under way'),
          started_at: about(nullable(timestamp()), 'When the carrier was asked'),
          dialed_at: nullable(timestamp()),
          ringing_at: nullable(timestamp()),
          answered_at: nullable(timestamp()),
          ended_at: nullable(timestamp()),
          duration_ms: about(
            integer(0),
            'From the answer to the end; 0 where nobody answered, and until it has ended',
          ),
        },
        { name: 'ContactAttempt' },
      ),
    ),
    next_attempt_at: about(
      nullable(timestamp()),
      'When its redial or callback falls due, whatever the calling window says then',
    ),
    do_not_call: about(flag(), 'Whether the person said in a call that they do not want to be called again'),
    why: about(
      nullable(text()),
      'For people: why it was not reached, or is not called now. Null for one that was reached, or is being called',
      'Outside the calling window until 2026-11-23 02:30 UTC',
    ),
    next: object(
      {
        action: about(oneOf(...NEXT_ACTIONS), 'What happens to it next'),
        at: about(
          nullable(timestamp()),
          'Not before then; null where that depends on a free line, a person or the call under way',
        ),
        sentence: about(
          text(),
          'For people',
          'It is dialled again from 2026-11-23 02:45 UTC on, as soon as a line is free, dial 2 of 3',
        ),
      },
      { name: 'ContactNextStep' },
    ),
  },
  { name: 'Contact' },
);
export type ContactBody = ValueOf<typeof contact>;
