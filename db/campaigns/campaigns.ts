import type { StoredSchedule } from '../../domain/calling-window';
import type { ContactSourceType } from '../../domain/contact-file-format';
import type { CampaignStatus } from '../../domain/campaign-status';
import type { RedialTerms } from '../../domain/redial';
import { ofOrganization } from '../kernel/conditions';
import { forgetAudit, recordAudit, type Actor } from '../organizations/audit';
import { listForRemoval, takeOffList } from '../organizations/files-to-remove';
import { holdRuleProfile } from '../organizations/rule-profiles';
import type { Db } from '../kernel/connection';
import { storeAndAdmit } from './append';
import { copyContacts, type NewContact } from './contacts';
import { keptTotal, listed, sortedBy, type Listed, type Page } from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

export interface Campaign extends StoredSchedule, RedialTerms {
  id: string;
  organizationId: string;
  agentId: string;
  campaignName: string;
  status: CampaignStatus;
  statusReason: string | null;
  /** The format of a file is detected from its content. */
  contactSourceType: ContactSourceType;
  /** List that it was created from. Null for a file or a deleted list. */
  contactListId: string | null;
  /** Columns of the file that are variables of the contacts, in file order, then other variables of appended contacts. */
  contactColumns: string[];
  concurrency: number;
  notificationEmails: string[];
  webhookUrl: string | null;
  perCallWebhookUrl: string | null;
  /** Zone of the window: an IANA name, or `contact` for the zone of each contact. Null for UTC. */
  windowTimezone: string | null;
  /** Name of a shipped rule profile or of one of the organization. Null for none. */
  ruleProfile: string | null;
  performDndCheck: boolean;
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Fields that users can set, each with its column. The statements that read and write them are generated from this list. */
const TERM_COLUMNS = [
  ['campaignName', 'campaign_name'],
  ['concurrency', 'concurrency'],
  ['fromDate', 'from_date'],
  ['toDate', 'to_date'],
  ['startMinute', 'start_minute'],
  ['endMinute', 'end_minute'],
  ['daysOfWeek', 'days_of_week'],
  ['maxAttempts', 'max_attempts'],
  ['retryDelayMins', 'retry_delay_mins'],
  ['notificationEmails', 'notification_emails'],
  ['webhookUrl', 'webhook_url'],
  ['perCallWebhookUrl', 'per_call_webhook_url'],
  ['windowTimezone', 'window_timezone'],
  ['ruleProfile', 'rule_profile'],
] as const satisfies readonly (readonly [keyof Campaign, string])[];

export type StoredTerms = Pick<Campaign, (typeof TERM_COLUMNS)[number][0]>;

export const columnsOf = (terms: StoredTerms): Record<string, unknown> =>
  Object.fromEntries(TERM_COLUMNS.map(([term, column]) => [column, terms[term]]));

export interface NewCampaign extends Omit<
  Campaign,
  'status' | 'statusReason' | 'total' | 'completed' | 'inProgress' | 'failed' | 'createdAt' | 'updatedAt'
> {
  /** Null for a list. */
  contactFileKey: string | null;
  contactFileBytes: number;
  /** Contacts of the file. Those of a list are copied. */
  contacts: NewContact[];
  actor: Actor;
  now: number;
}

const CAMPAIGN = `select id, organization_id as "organizationId", agent_id as "agentId", status,
  ${TERM_COLUMNS.map(([term, column]) => `${column} as "${term}"`).join(', ')},
  status_reason as "statusReason", contact_source_type as "contactSourceType", contact_list_id as "contactListId",
  contact_columns as "contactColumns", perform_dnd_check as "performDndCheck", total_contacts as total,
  completed_contacts as completed, in_progress_contacts as "inProgress", failed_contacts as failed,
  created_at as "createdAt", updated_at as "updatedAt"
  from campaigns`;

/** How long a campaign's workflow has to start before reconciliation checks it. */
const START_MS = 3_000;

/**
 * Inserts the campaign with all its contacts in one transaction. Contacts of a list are copied as they are now. A row with a duplicate number starts as failed, so that the counts always
 * add up.
 * @throws UnknownRuleProfile
 */
export function insertCampaign(db: Db, campaign: NewCampaign): Promise<Campaign> {
  return db.transaction(async (trx) => {
    const instant = timestamp(campaign.now);
    await holdRuleProfile(trx, campaign.organizationId, campaign.ruleProfile);
    await trx('campaigns').insert({
      id: campaign.id,
      organization_id: campaign.organizationId,
      agent_id: campaign.agentId,
      status: 'active',
      reported_status: 'active',
      contact_source_type: campaign.contactSourceType,
      contact_file_key: campaign.contactFileKey,
      contact_file_bytes: campaign.contactFileBytes,
      contact_file_rows: campaign.contacts.at(-1)?.row ?? 0,
      contact_list_id: campaign.contactListId,
      contact_columns: campaign.contactColumns,
      ...columnsOf(campaign),
      perform_dnd_check: campaign.performDndCheck,
      total_contacts: campaign.contacts.length,
      failed_contacts: campaign.contacts.filter((contact) => contact.duplicateOf !== null).length,
      created_at: instant,
      updated_at: instant,
      check_at: timestamp(campaign.now + START_MS),
    });
    await copyContacts(trx, campaign.id, campaign.contacts);
    if (campaign.contactListId !== null) {
      const { id: campaignId, organizationId, contactListId: listId, now } = campaign;
      await storeAndAdmit(trx, { campaignId, organizationId, source: { listId }, now });
    }
    if (campaign.contactFileKey !== null) await takeOffList(trx, campaign.contactFileKey);
    await recordAudit(trx, {
      organizationId: campaign.organizationId,
      actor: campaign.actor,
      action: 'campaign.create',
      subjectId: campaign.id,
      now: campaign.now,
    });
    return onlyRow<Campaign>(trx, `${CAMPAIGN} where id = :id`, { id: campaign.id });
  });
}

/**
 * Removes a campaign whose workflow could not be started, with its audit entries. Returns false if the campaign has calls (the start
 * succeeded and only its response was lost) or webhooks (the campaign has been paused or changed since).
 */
export async function withdrawCampaign(db: Db, campaignId: string, now: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    // Claims take the same lock, so no call can appear between the check and the removal.
    await rows(trx, 'select 1 from campaigns where id = :campaignId for update', { campaignId });
    const used = await firstRow(
      trx,
      `select 1 from calls where campaign_id = :campaignId
       union all select 1 from webhook_deliveries where campaign_id = :campaignId limit 1`,
      { campaignId },
    );
    if (used !== undefined) return false;
    const gone = await rows<{ key: string | null }>(
      trx,
      'delete from campaigns where id = :campaignId returning contact_file_key as key',
      { campaignId },
    );
    await listForRemoval(
      trx,
      gone.flatMap(({ key }) => key ?? []),
      now,
    );
    await forgetAudit(trx, campaignId);
    return true;
  });
}

/** Returns undefined for a campaign of another organization. */
export function findCampaign(
  db: Db,
  organizationId: string,
  campaignId: string,
): Promise<Campaign | undefined> {
  return firstRow<Campaign>(db, `${CAMPAIGN} where id = :campaignId and organization_id = :organizationId`, {
    campaignId,
    organizationId,
  });
}

export interface ContactFile {
  /** Null if the file must be generated from the contacts. */
  key: string | null;
  columns: string[];
  /** Row of its last contact. 0 if the campaign has no file. */
  lastRow: number;
  /** Retention has erased the contacts and the file. */
  isPast: boolean;
}

/** Pass a null `organizationId` only for signed URLs, which only the campaign's owner receives. */
export function contactFileOf(
  db: Db,
  campaignId: string,
  organizationId: string | null,
): Promise<ContactFile | undefined> {
  return firstRow<ContactFile>(
    db,
    `select contact_file_key as key, contact_columns as columns, contact_file_rows as "lastRow", contacts_erased_at is not null as "isPast" from campaigns
     where id = :campaignId and (:organizationId::uuid is null or organization_id = :organizationId::uuid)`,
    { campaignId, organizationId },
  );
}

interface CampaignFilter {
  organizationId: string;
  status?: string;
}

/** Returns campaigns, newest first. */
export function listCampaigns(db: Db, filter: CampaignFilter, page: Page): Promise<Listed<Campaign>> {
  const { where, bindings } = ofOrganization(filter.organizationId, { 'status = :status': filter.status });
  const total = keptTotal(db, filter.organizationId, 'campaigns', filter.status);
  return listed(page, total, ({ limit, offset }) =>
    rows<Campaign>(
      db,
      `${CAMPAIGN} where id in (
         select id from campaigns where ${where} ${sortedBy('desc', 'created_at', 'id')}
       ) order by created_at desc, id desc`,
      { ...bindings, limit, offset },
    ),
  );
}
