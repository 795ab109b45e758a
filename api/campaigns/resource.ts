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
    'paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays',
  );

const NAMED = {
  id: id(),
  campaign_name: text(),
  campaign_status: campaignStatus(),
};

const SCHEDULE = {
  days_of_week: about(text(), 'Comma-separated weekday names', 'monday,tuesday'),
  time_range_from: about(timeRange(), 'Start of the daily window in UTC, inclusive', '04:00:00Z'),
  time_range_to: about(timeRange(), 'End of the daily window in UTC, exclusive', '10:30:00Z'),
};

const FIELDS = {
  ...NAMED,
  ...SCHEDULE,
  client_id: id(),
  agent_id: id(),
  excel_blob_url: about(address(), 'URL of the contact file, signed for 24 hours'),
  contact_source_type: about(oneOf(...CONTACT_FILE_FORMATS), 'Format of the file, detected from its content'),
  max_retries: about(integer(1, 10), 'Maximum number of attempts per contact. 1 means no redial'),
  retry_after_mins: about(integer(0, 1440), 'Minutes from the end of an attempt to the next one'),
  call_concurrency: about(integer(1), 'Maximum number of live calls of the campaign'),
  start_date: about(zonelessTimestamp(), 'First day', '2026-11-02T00:00:00'),
  end_date: about(zonelessTimestamp(), 'Last day', '2099-12-31T23:59:59'),
  notification_emails: list(text()),
  webhook_url: about(nullable(text()), '`campaign_webhook_url` of the request'),
  perform_dnd_check: flag(),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const campaign = object(FIELDS, { name: 'Campaign' });
export type CampaignBody = ValueOf<typeof campaign>;

export const campaignDetail = object(
  {
    ...FIELDS,
    per_call_webhook_url: about(nullable(text()), 'URL for events of each call'),
    stats: fieldOf(CAMPAIGN_STATS),
    status_reason: about(nullable(text()), 'Reason for the status'),
    completion_mails: about(
      list(
        object({ email: text(), status: oneOf(...MAIL_STATUSES, 'confirmed') }, { name: 'CompletionMail' }),
      ),
      'Delivery of the report to each of notification_emails. Before the campaign ends: confirmed or unconfirmed. Unconfirmed addresses get no report',
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
    total_leads: about(integer(0), 'Number of contacts'),
    completed_calls: about(integer(0), 'Number of contacts that were reached'),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { name: 'CampaignListItem' },
);
export type CampaignListItemBody = ValueOf<typeof campaignListItem>;

/** Response to resume, pause and cancel. */
export const campaignStanding = object({ ...NAMED, updated_at: timestamp() }, { name: 'CampaignStanding' });
export type CampaignStandingBody = ValueOf<typeof campaignStanding>;

export const allPaused = object({ paused: integer(0) }, { name: 'AllPaused' });

export const allResumed = object(
  {
    resumed: integer(0),
    left_paused: about(
      integer(0),
      'Number of campaigns left paused because their agent may no longer call from its number',
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
    row: about(integer(1), 'Row number in the file. The header is row 1'),
    name: text(),
    phone_number: about(text(), 'E.164'),
    state: oneOf(...CONTACT_STATES),
  },
  { name: 'FoundContact' },
);

export const contact = object(
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
          'It is dialled again from 2026-11-23 02:45 UTC on, as soon as a line is free, dial 2 of 3',
        ),
      },
      { name: 'ContactNextStep' },
    ),
  },
  { name: 'Contact' },
);
export type ContactBody = ValueOf<typeof contact>;
