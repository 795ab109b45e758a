import type { Db } from './connection';
import { firstRow, onlyRow, rows, timestamp } from './query';

export interface Campaign {
  id: string;
  clientId: string;
  agentId: string;
  campaignName: string;
  status: string;
  statusReason: string | null;
  contactSourceType: string;
  contactFileKey: string;
  /** Comma-separated, as clients send and see it. */
  daysOfWeek: string;
  startMinute: number;
  endMinute: number;
  fromDate: string;
  toDate: string;
  maxRetries: number;
  retryAfterMins: number;
  callConcurrency: number;
  notificationEmails: string[];
  webhookUrl: string | null;
  perCallWebhookUrl: string | null;
  performDndCheck: boolean;
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface NewContact {
  row: number;
  name: string;
  phoneE164: string;
  variables: Record<string, string>;
  /** The row with the same number that is dialled in its place; null when this one is. */
  duplicateOf: number | null;
}

export interface NewCampaign extends Omit<
  Campaign,
  'status' | 'statusReason' | 'total' | 'completed' | 'inProgress' | 'failed' | 'createdAt' | 'updatedAt'
> {
  contacts: NewContact[];
  now: number;
}

const CAMPAIGN = `select id, client_id as "clientId", agent_id as "agentId", campaign_name as "campaignName", status,
  status_reason as "statusReason", contact_source_type as "contactSourceType", contact_file_key as "contactFileKey",
  days_of_week as "daysOfWeek", start_minute as "startMinute", end_minute as "endMinute", from_date as "fromDate",
  to_date as "toDate", max_retries as "maxRetries", retry_after_mins as "retryAfterMins",
  call_concurrency as "callConcurrency", notification_emails as "notificationEmails", webhook_url as "webhookUrl",
  per_call_webhook_url as "perCallWebhookUrl", perform_dnd_check as "performDndCheck", total_contacts as total,
  completed_contacts as completed, in_progress_contacts as "inProgress", failed_contacts as failed,
  created_at as "createdAt", updated_at as "updatedAt"
  from campaigns`;

/**
 * The campaign and its contacts, or neither. Contacts travel as one JSON value: ten thousand single rows would take seconds.
 * A repeated number counts as failed from the start, so that the sums always add up.
 */
export function insertCampaign(db: Db, campaign: NewCampaign): Promise<Campaign> {
  return db.transaction(async (trx) => {
    const instant = timestamp(campaign.now);
    await trx('campaigns').insert({
      id: campaign.id,
      client_id: campaign.clientId,
      agent_id: campaign.agentId,
      campaign_name: campaign.campaignName,
      status: 'active',
      announced_status: 'active',
      contact_source_type: campaign.contactSourceType,
      contact_file_key: campaign.contactFileKey,
      days_of_week: campaign.daysOfWeek,
      start_minute: campaign.startMinute,
      end_minute: campaign.endMinute,
      from_date: campaign.fromDate,
      to_date: campaign.toDate,
      max_retries: campaign.maxRetries,
      retry_after_mins: campaign.retryAfterMins,
      call_concurrency: campaign.callConcurrency,
      notification_emails: campaign.notificationEmails,
      webhook_url: campaign.webhookUrl,
      per_call_webhook_url: campaign.perCallWebhookUrl,
      perform_dnd_check: campaign.performDndCheck,
      total_contacts: campaign.contacts.length,
      failed_contacts: campaign.contacts.filter((contact) => contact.duplicateOf !== null).length,
      created_at: instant,
      updated_at: instant,
    });
    await insertContacts(trx, campaign.id, campaign.contacts);
    return onlyRow<Campaign>(trx, `${CAMPAIGN} where id = :id`, { id: campaign.id });
  });
}

async function insertContacts(trx: Db, campaignId: string, contacts: NewContact[]): Promise<void> {
  await rows(
    trx,
    `insert into contacts (campaign_id, row_number, name, phone_number, variables, state, reason)
     select :campaignId, c."row", c.name, c."phoneE164", c.variables,
       case when c."duplicateOf" is null then 'pending' else 'duplicate' end, 'same number as row ' || c."duplicateOf"
     from json_to_recordset(:contacts) as c("row" integer, name text, "phoneE164" text, variables jsonb, "duplicateOf" integer)
     order by c."row"`,
    { campaignId, contacts: JSON.stringify(contacts) },
  );
}

/**
 * Takes back a campaign whose workflow was not started. False when calls of it exist: then the start did get through, its answer was
 * lost, and the campaign stays.
 */
export async function withdrawCampaign(db: Db, campaignId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    // The lock that a claim takes too, so that no call appears between the look and the removal.
    await rows(trx, 'select 1 from campaigns where id = :campaignId for update', { campaignId });
    const call = await firstRow(trx, 'select 1 from calls where campaign_id = :campaignId limit 1', {
      campaignId,
    });
    if (call !== undefined) return false;
    await rows(trx, 'delete from campaigns where id = :campaignId', { campaignId });
    return true;
  });
}

/** Another client's campaign is unknown. */
export function findCampaign(db: Db, clientId: string, campaignId: string): Promise<Campaign | undefined> {
  return firstRow<Campaign>(db, `${CAMPAIGN} where id = :campaignId and client_id = :clientId`, {
    campaignId,
    clientId,
  });
}

/** Without a client only for a signed address, which was only ever given to the campaign's client. */
export async function contactFileOf(
  db: Db,
  campaignId: string,
  clientId: string | null,
): Promise<string | undefined> {
  const found = await firstRow<{ key: string }>(
    db,
    `select contact_file_key as key from campaigns
     where id = :campaignId and (:clientId::uuid is null or client_id = :clientId::uuid)`,
    { campaignId, clientId },
  );
  return found?.key;
}

export interface CampaignFilter {
  clientId: string;
  status?: string;
}

const matches = (filter: CampaignFilter): string =>
  `where client_id = :clientId${filter.status === undefined ? '' : ' and status = :status'}`;

/** The newest first. */
export function listCampaigns(
  db: Db,
  filter: CampaignFilter,
  page: { limit: number; offset: number },
): Promise<Campaign[]> {
  const sql = `${CAMPAIGN} ${matches(filter)} order by created_at desc, id desc limit :limit offset :offset`;
  return rows<Campaign>(db, sql, { ...filter, ...page });
}

export async function countCampaigns(db: Db, filter: CampaignFilter): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select count(*) as total from campaigns ${matches(filter)}`,
    {
      ...filter,
    },
  );
  return total;
}

/** Whether the carrier may at this moment be taking up a dial of the campaign: until then a pause is not acknowledged. */
export async function isCarrierBeingAsked(db: Db, campaignId: string, now: number): Promise<boolean> {
  const { asking } = await onlyRow<{ asking: boolean }>(
    db,
    `select exists (select 1 from calls where campaign_id = :campaignId and stage = 'asking' and not_after > :now) as asking`,
    { campaignId, now: timestamp(now) },
  );
  return asking;
}
