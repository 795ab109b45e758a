/** Response schemas of a campaign and their presenters. */
import Joi from 'joi';
import type { Campaign } from '../../db/campaigns/campaigns';
import type { RecipientStanding } from '../../db/campaigns/completion-mails';
import { timeOfDay } from '../../domain/calling-window';
import { CAMPAIGN_STATS, CAMPAIGN_STATUSES, statsOf } from '../../domain/campaign-status';
import { MAIL_STATUSES } from '../../domain/completion-mail';
import { CONTACT_SOURCE_TYPES } from '../../domain/contact-file-format';
import { iso } from '../http/responses';
import { address, flag, id, integer, oneOf, text, timestamp } from '../http/schema/kinds';
import type { UrlSigner } from '../http/auth/signed-url';
import {
  about,
  list,
  nullable,
  object,
  optional,
  typed,
  type Field,
  type ValueOf,
} from '../http/schema/field';
import { fieldOf } from '../http/schema/shape';

const timeRange = (): Field<string> => typed(Joi.string().pattern(/^\d{2}:\d{2}:\d{2}Z$/));

const zonelessTimestamp = (): Field<string> =>
  typed(Joi.string().pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/));

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

const RULES = {
  window_timezone: about(
    text(),
    'Zone of the window, the weekdays and the dates: `utc`, `contact` for the own zone of each contact, or an IANA name. Unless it is `utc`, the `Z` of `time_range_from` and `time_range_to` has no meaning',
    'America/Denver',
  ),
  rule_profile: about(nullable(text()), 'Name of the rule profile of the campaign'),
};

/** Shown only for a campaign that has them, so that other responses have exactly the fields of the contract. */
const RULES_IF_ANY = {
  window_timezone: optional(RULES.window_timezone),
  rule_profile: optional(RULES.rule_profile),
};

const SCHEDULE = {
  days_of_week: about(text(), 'Comma-separated weekday names', 'monday,tuesday'),
  time_range_from: about(timeRange(), 'Start of the daily window, inclusive', '04:00:00Z'),
  time_range_to: about(timeRange(), 'End of the daily window, exclusive', '10:30:00Z'),
  ...RULES_IF_ANY,
};

const FIELDS = {
  ...NAMED,
  ...SCHEDULE,
  client_id: id(),
  agent_id: id(),
  excel_blob_url: about(address(), 'URL of the contact file, signed for 24 hours'),
  contact_source_type: about(
    oneOf(...CONTACT_SOURCE_TYPES),
    'Format of the file, detected from its content, or list',
  ),
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
type CampaignBody = ValueOf<typeof campaign>;

export const campaignDetail = object(
  {
    ...FIELDS,
    ...RULES,
    contact_list_id: about(
      nullable(id()),
      'Contact list that it was created from. Null for a file or a deleted list',
    ),
    per_call_webhook_url: about(nullable(text()), 'Webhook URL for the events of each call'),
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
type CampaignDetailBody = ValueOf<typeof campaignDetail>;

export const campaignListItem = object(
  {
    ...NAMED,
    ...RULES_IF_ANY,
    agent_id: id(),
    call_concurrency: integer(1),
    total_leads: about(integer(0), 'Number of contacts'),
    completed_calls: about(integer(0), 'Number of contacts that were reached'),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { name: 'CampaignListItem' },
);
type CampaignListItemBody = ValueOf<typeof campaignListItem>;

/** Response to resume, pause and cancel. */
export const campaignStanding = object({ ...NAMED, updated_at: timestamp() }, { name: 'CampaignStanding' });
type CampaignStandingBody = ValueOf<typeof campaignStanding>;

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
type UpdatedCampaignBody = ValueOf<typeof updatedCampaign>;

const timeText = (minute: number): string => `${timeOfDay(minute)}:00Z`;

const rulesIfAny = ({ windowTimezone, ruleProfile }: Campaign) => ({
  ...(windowTimezone !== null && { window_timezone: windowTimezone }),
  ...(ruleProfile !== null && { rule_profile: ruleProfile }),
});

export function presentCampaign(campaign: Campaign, signer: UrlSigner): CampaignBody {
  return {
    id: campaign.id,
    client_id: campaign.organizationId,
    agent_id: campaign.agentId,
    campaign_name: campaign.campaignName,
    excel_blob_url: signer.sign(`/api/campaigns/${campaign.id}/file`),
    campaign_status: campaign.status,
    contact_source_type: campaign.contactSourceType,
    days_of_week: campaign.daysOfWeek,
    time_range_from: timeText(campaign.startMinute),
    time_range_to: timeText(campaign.endMinute),
    ...rulesIfAny(campaign),
    max_retries: campaign.maxAttempts,
    retry_after_mins: campaign.retryDelayMins,
    call_concurrency: campaign.concurrency,
    start_date: `${campaign.fromDate}T00:00:00`,
    end_date: `${campaign.toDate}T23:59:59`,
    notification_emails: campaign.notificationEmails,
    webhook_url: campaign.webhookUrl,
    perform_dnd_check: campaign.performDndCheck,
    created_at: iso(campaign.createdAt),
    updated_at: iso(campaign.updatedAt),
  };
}

export function presentCampaignDetail(
  { recipients, ...campaign }: Campaign & { recipients: RecipientStanding[] },
  signer: UrlSigner,
): CampaignDetailBody {
  return {
    ...presentCampaign(campaign, signer),
    window_timezone: campaign.windowTimezone ?? 'utc',
    rule_profile: campaign.ruleProfile,
    contact_list_id: campaign.contactListId,
    per_call_webhook_url: campaign.perCallWebhookUrl,
    stats: statsOf(campaign),
    status_reason: campaign.statusReason,
    completion_mails: recipients.map(({ email, status }) => ({ email, status })),
  };
}

export function presentCampaignListItem(campaign: Campaign): CampaignListItemBody {
  const stats = statsOf(campaign);
  return {
    id: campaign.id,
    campaign_name: campaign.campaignName,
    campaign_status: campaign.status,
    ...rulesIfAny(campaign),
    agent_id: campaign.agentId,
    call_concurrency: campaign.concurrency,
    total_leads: stats.total_calls,
    completed_calls: stats.completed,
    created_at: iso(campaign.createdAt),
    updated_at: iso(campaign.updatedAt),
  };
}

export function presentCampaignStanding(
  campaign: Pick<Campaign, 'id' | 'campaignName' | 'status' | 'updatedAt'>,
): CampaignStandingBody {
  return {
    id: campaign.id,
    campaign_name: campaign.campaignName,
    campaign_status: campaign.status,
    updated_at: iso(campaign.updatedAt),
  };
}

export function presentUpdatedCampaign(campaign: Campaign): UpdatedCampaignBody {
  return {
    ...presentCampaignStanding(campaign),
    call_concurrency: campaign.concurrency,
    days_of_week: campaign.daysOfWeek,
    time_range_from: timeText(campaign.startMinute),
    time_range_to: timeText(campaign.endMinute),
    ...rulesIfAny(campaign),
  };
}
