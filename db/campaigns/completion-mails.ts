/** E-mails about the end of a campaign, and the facts in them. A recipient is identified by position, never by address. */
import type { MailOutcome, MailStatus, MailFacts } from '../../domain/completion-mail';
import { sinceCampaign } from '../calls/months';
import { isOfAllowedDomain, lockMails } from './mail-addresses';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

/** How long the campaign's workflow has to send its e-mails before reconciliation checks that it is running. */
const FIRST_CHECK_MS = 30_000;

export interface CompletionMailRules {
  /** `skipped` without a mail server. */
  status: Extract<MailStatus, 'pending' | 'skipped'>;
  /** Domains whose addresses need no confirmation. `*` means all. */
  confirmedDomains: readonly string[];
  /** Reports per organization in 24 hours. 0 means no limit. */
  perDay: number;
}

/** Rules for a platform that sends no e-mail. */
export const NO_MAILS: CompletionMailRules = { status: 'skipped', confirmedDomains: [], perDay: 0 };

/**
 * Inserts one row per address of the campaign, without duplicates (ignoring case), in the transaction that ends the campaign. Unconfirmed
 * addresses, campaigns that called no contact and reports above the daily limit get a row that isn't sent.
 */
export async function insertCompletionMails(
  trx: Db,
  { campaignId, organizationId }: { campaignId: string; organizationId: string },
  { status, confirmedDomains, perDay, now }: CompletionMailRules & { now: number },
): Promise<void> {
  const room =
    perDay === 0 ? MAX_RECIPIENTS : Math.max(0, perDay - (await sentLately(trx, organizationId, now)));
  await rows(
    trx,
    `with named as (
       select distinct on (lower(n.address)) n.address, n.place, coalesce(${isOfAllowedDomain('n.address')}, false) or exists (
         select from mail_addresses a where a.organization_id = :organizationId and a.address = lower(n.address) and a.confirmed_at is not null) as confirmed
       from campaigns c, unnest(c.notification_emails) with ordinality as n (address, place)
       where c.id = :campaignId order by lower(n.address), n.place
     ), judged as (
       select address, place, case
         when not confirmed then 'unconfirmed'
         when :status = 'skipped' then 'no mail server is configured'
         when not exists (select from all_calls k where campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and requested_at is not null)
           then 'no contact was called'
         when row_number() over (partition by confirmed order by place) > :room then 'the organization reached its daily limit of e-mails'
       end as fault from named
     )
     insert into completion_mails (campaign_id, recipient, address, status, last_error, created_at, check_at)
     select :campaignId, row_number() over (order by place), address,
       case when fault is null then 'pending' when fault = 'unconfirmed' then fault else 'skipped' end, nullif(fault, 'unconfirmed'), :now, :checkAt
     from judged on conflict do nothing`,
    {
      ...{ campaignId, organizationId, status, room, domains: [...confirmedDomains] },
      ...{ now: timestamp(now), checkAt: timestamp(now + FIRST_CHECK_MS) },
    },
  );
}

/** Higher than the number of recipients that a campaign can have. */
const MAX_RECIPIENTS = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts reports of the organization's campaigns that ended in the last 24 hours, including pending ones. */
async function sentLately(trx: Db, organizationId: string, now: number): Promise<number> {
  await lockMails(trx, organizationId);
  const { sent } = await onlyRow<{ sent: number }>(
    trx,
    `select count(*) as sent from campaigns c join completion_mails m on m.campaign_id = c.id
     where c.organization_id = :organizationId and c.ended_at > :dayAgo and m.kind = 'report' and m.status in ('pending', 'sent', 'failed')`,
    { organizationId, dayAgo: timestamp(now - DAY_MS) },
  );
  return sent;
}

export interface RecipientStanding {
  email: string;
  /** `confirmed` or `unconfirmed` until the campaign ends. */
  status: MailStatus | 'confirmed';
}

/** Returns the status of the report to each address of the campaign. */
export const recipientsOf = (
  db: Db,
  campaignId: string,
  confirmedDomains: readonly string[],
): Promise<RecipientStanding[]> =>
  rows<RecipientStanding>(
    db,
    `select n.address as email, coalesce(m.status, case when ${isOfAllowedDomain('n.address')} or exists (
       select from mail_addresses a where a.organization_id = c.organization_id and a.address = lower(n.address) and a.confirmed_at is not null)
       then 'confirmed' else 'unconfirmed' end) as status
     from campaigns c cross join unnest(c.notification_emails) with ordinality as n (address, place)
     left join completion_mails m on m.campaign_id = c.id and m.kind = 'report' and lower(m.address) = lower(n.address)
     where c.id = :campaignId order by n.place`,
    { campaignId, domains: [...confirmedDomains] },
  );

export async function hasPendingMails(db: Db, campaignId: string): Promise<boolean> {
  const { pending } = await onlyRow<{ pending: boolean }>(
    db,
    `select exists (select 1 from completion_mails where campaign_id = :campaignId and status = 'pending') as pending`,
    { campaignId },
  );
  return pending;
}

interface MailsToSend {
  /** Pending e-mails. */
  mails: { recipient: number; createdAt: Date }[];
  /** All e-mails of the campaign, including sent and failed ones. */
  total: number;
}

export async function mailsToSend(db: Db, campaignId: string): Promise<MailsToSend> {
  const all = await rows<{ recipient: number; createdAt: Date; status: MailStatus }>(
    db,
    `select recipient, created_at as "createdAt", status from completion_mails
     where campaign_id = :campaignId order by recipient`,
    { campaignId },
  );
  const pending = all.filter(({ status }) => status === 'pending');
  return {
    mails: pending.map(({ recipient, createdAt }) => ({ recipient, createdAt })),
    total: all.length,
  };
}

export function findMail(
  db: Db,
  campaignId: string,
  recipient: number,
): Promise<
  { address: string; kind: 'report' | 'confirmation'; status: MailStatus; organizationId: string } | undefined
> {
  return firstRow(
    db,
    `select m.address, m.kind, m.status, c.organization_id as "organizationId" from completion_mails m join campaigns c on c.id = m.campaign_id
     where m.campaign_id = :campaignId and m.recipient = :recipient`,
    { campaignId, recipient },
  );
}

/** Records the result of an attempt. Only a pending e-mail changes. */
export async function recordMailAttempt(
  db: Db,
  attempt: {
    campaignId: string;
    recipient: number;
    status: MailStatus;
    /** Must not contain addresses. Null if the mail server accepted the e-mail. */
    error: string | null;
    now: number;
  },
): Promise<void> {
  const { campaignId, recipient, status, error, now } = attempt;
  await rows(
    db,
    `update completion_mails set status = :status, attempts = attempts + 1, last_error = :error,
       sent_at = case when :status = 'sent' then cast(:now as timestamptz) end
     where campaign_id = :campaignId and recipient = :recipient and status = 'pending'`,
    { campaignId, recipient, status, error, now: timestamp(now) },
  );
}

/** Sets the final status of pending e-mails that won't be attempted again. Keeps the error of an earlier attempt as the reason. */
export async function closeMails(
  db: Db,
  closed: {
    campaignId: string;
    recipients: readonly number[];
    status: Exclude<MailOutcome, 'sent'>;
    reason: string;
  },
): Promise<void> {
  const { campaignId, status, reason } = closed;
  await rows(
    db,
    `update completion_mails set status = :status, last_error = coalesce(last_error, :reason)
     where campaign_id = :campaignId and recipient = any(:recipients) and status = 'pending'`,
    { campaignId, recipients: [...closed.recipients], status, reason },
  );
}

const PAGE = 200;

/** Returns campaigns with e-mails that a workflow should be sending. */
export async function unsentMails(db: Db, now: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select campaign_id as id from completion_mails where status = 'pending' and check_at < :now
     group by campaign_id order by min(check_at) limit ${PAGE}`,
    { now: timestamp(now) },
  );
  return found.map(({ id }) => id);
}

/** Postpones the next check of these campaigns, so that the next passes check others first. */
export async function checkAgainAt(db: Db, campaignIds: readonly string[], at: number): Promise<void> {
  await rows(
    db,
    `update completion_mails set check_at = :at where campaign_id = any(:campaignIds) and status = 'pending'`,
    { campaignIds: [...campaignIds], at: timestamp(at) },
  );
}

interface CompletionFacts extends MailFacts {
  /** `contactColumns` are the columns of the file, in its order. */
  campaign: MailFacts['campaign'] & { contactColumns: string[] };
}

/** The call that the report shows for a contact: the last answered call, or else the last dialled one. */
const DECISIVE_CALL = `left join lateral (
  select call_id, call_status, outcome from all_calls k where contact_id = c.id and ${sinceCampaign('k', ':campaignId')} and requested_at is not null
  order by answered_at is not null desc, requested_at desc limit 1
) k on true`;

/** Returns undefined for an open campaign. `noteworthy` is the maximum number of contacts of each kind. */
export async function completionFacts(
  db: Db,
  campaignId: string,
  { noteworthy }: { noteworthy: number },
): Promise<CompletionFacts | undefined> {
  const campaign = await endedCampaign(db, campaignId);
  if (campaign === undefined) return undefined;
  return {
    campaign,
    groups: await contactGroups(db, campaignId),
    calls: await callSums(db, campaignId),
    callbacks: await callbackGroups(db, campaignId),
    noteworthy: await noteworthyContacts(db, campaignId, noteworthy),
  };
}

function endedCampaign(db: Db, campaignId: string): Promise<CompletionFacts['campaign'] | undefined> {
  return firstRow<CompletionFacts['campaign']>(
    db,
    `select p.id, p.campaign_name as "campaignName", o.name as "organizationName", a.display_name as "agentName", p.status,
       p.status_reason as "statusReason", p.created_at as "createdAt", p.ended_at as "endedAt",
       p.contact_columns as "contactColumns"
     from campaigns p join organizations o on o.id = p.organization_id join agents a on a.id = p.agent_id
     where p.id = :campaignId and p.ended_at is not null`,
    { campaignId },
  );
}

function contactGroups(db: Db, campaignId: string): Promise<MailFacts['groups'][number][]> {
  return rows<MailFacts['groups'][number]>(
    db,
    `select c.state, c.reason, k.call_id is not null as called, k.call_status as "callStatus", k.outcome, count(*) as contacts
     from contacts c ${DECISIVE_CALL}
     where c.campaign_id = :campaignId group by 1, 2, 3, 4, 5 order by contacts desc, 1, 2, 4, 5`,
    { campaignId },
  );
}

function callSums(db: Db, campaignId: string): Promise<MailFacts['calls']> {
  return onlyRow<MailFacts['calls']>(
    db,
    `select count(*) as placed, count(answered_at) as answered, cast(coalesce(sum(duration_ms), 0) as float8) as "talkMs",
       cast(coalesce(sum(call_cost), 0) as float8) as credits, min(requested_at) as "firstAt"
     from all_calls k where campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and requested_at is not null`,
    { campaignId },
  );
}

function callbackGroups(db: Db, campaignId: string): Promise<MailFacts['callbacks'][number][]> {
  return rows<MailFacts['callbacks'][number]>(
    db,
    `select callback_status as status, count(distinct contact_id) as contacts
     from all_calls k where campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and callback_requested group by 1 order by 2 desc, 1`,
    { campaignId },
  );
}

/** Returns contacts with an outstanding callback, and contacts with an invalid number. */
function noteworthyContacts(
  db: Db,
  campaignId: string,
  limit: number,
): Promise<MailFacts['noteworthy'][number][]> {
  return rows<MailFacts['noteworthy'][number]>(
    db,
    `(select distinct on (c.row_number) 'callback' as kind, c.row_number as "row", c.name, k.summary
      from all_calls k join contacts c on c.id = k.contact_id
      where k.campaign_id = :campaignId and ${sinceCampaign('k', ':campaignId')} and k.callback_requested and k.callback_status is distinct from 'completed'
      order by c.row_number, k.requested_at desc limit :limit)
     union all
     (select 'invalid', row_number, name, null from contacts
      where campaign_id = :campaignId and state = 'invalid' order by row_number limit :limit)`,
    { campaignId, limit },
  );
}
