/** The ledger of the e-mails about a campaign's end. A recipient is named by its place in it, never by its address. */
import type { MailOutcome, MailStatus } from '../../workflows/domain/completion-mail';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

/** How long a campaign's own workflow has to send before reconciliation looks whether there is one. */
const FIRST_LOOK_MS = 30_000;

/**
 * One row for each address of the campaign, whatever its case and however often it is named. In the transaction that ends the
 * campaign, so that no end goes without its e-mails.
 */
export async function insertCompletionMails(
  trx: Db,
  campaignId: string,
  { status, now }: { status: Extract<MailStatus, 'pending' | 'skipped'>; now: number },
): Promise<void> {
  await rows(
    trx,
    `with named as (
       select distinct on (fold(address)) address, place from campaigns c,
         unnest(c.notification_emails) with ordinality as named (address, place)
       where c.id = :campaignId order by fold(address), place
     )
     insert into completion_mails (campaign_id, recipient, address, status, created_at, look_at)
     select :campaignId, row_number() over (order by place), address, :status, :now, :lookAt from named
     on conflict do nothing`,
    { campaignId, status, now: timestamp(now), lookAt: timestamp(now + FIRST_LOOK_MS) },
  );
}

export async function hasPendingMails(db: Db, campaignId: string): Promise<boolean> {
  const { pending } = await onlyRow<{ pending: boolean }>(
    db,
    `select exists (select 1 from completion_mails where campaign_id = :campaignId and status = 'pending') as pending`,
    { campaignId },
  );
  return pending;
}

export interface MailsToSend {
  /** Those that are pending. */
  mails: { recipient: number; createdAt: Date }[];
  /** Of the campaign, those that are settled included. */
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
): Promise<{ address: string; status: MailStatus; clientId: string } | undefined> {
  return firstRow(
    db,
    `select m.address, m.status, c.client_id as "clientId" from completion_mails m join campaigns c on c.id = m.campaign_id
     where m.campaign_id = :campaignId and m.recipient = :recipient`,
    { campaignId, recipient },
  );
}

/** What an attempt came to. A mail that is settled stays as it is. */
export async function recordMailAttempt(
  db: Db,
  attempt: {
    campaignId: string;
    recipient: number;
    status: MailStatus;
    /** Without addresses; null where it was accepted. */
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

/** Settles what is pending of these recipients without an attempt. What the last attempt met with stays the reason, where there was one. */
export async function settleMails(
  db: Db,
  settled: {
    campaignId: string;
    recipients: readonly number[];
    status: Exclude<MailOutcome, 'sent'>;
    reason: string;
  },
): Promise<void> {
  const { campaignId, status, reason } = settled;
  await rows(
    db,
    `update completion_mails set status = :status, last_error = coalesce(last_error, :reason)
     where campaign_id = :campaignId and recipient = any(:recipients) and status = 'pending'`,
    { campaignId, recipients: [...settled.recipients], status, reason },
  );
}

const PAGE = 200;

/** Ended campaigns with e-mails that somebody should be sending. */
export async function unsentMails(db: Db, now: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select campaign_id as id from completion_mails where status = 'pending' and look_at < :now
     group by campaign_id order by min(look_at) limit ${PAGE}`,
    { now: timestamp(now) },
  );
  return found.map(({ id }) => id);
}

/** Looked at: the next passes look at others first. */
export async function lookAgainAt(db: Db, campaignIds: readonly string[], at: number): Promise<void> {
  await rows(
    db,
    `update completion_mails set look_at = :at where campaign_id = any(:campaignIds) and status = 'pending'`,
    { campaignIds: [...campaignIds], at: timestamp(at) },
  );
}
