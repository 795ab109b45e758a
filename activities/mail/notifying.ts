/**
 * Sends the e-mails about the end of a campaign. Workflows identify a recipient by position in the ledger, because addresses stay in
 * Postgres.
 */
import { ApplicationFailure } from '@temporalio/activity';
import {
  findMail,
  mailsToSend,
  recordMailAttempt,
  closeMails,
  completionFacts,
} from '../../db/campaigns/completion-mails';
import { requestedConfirmation } from '../../db/campaigns/mail-addresses';
import {
  completionMail,
  confirmationMail,
  isMailAddress,
  type MailOutcome,
  type MailReport,
} from '../../domain/completion-mail';
import { Shares } from '../../runtime/shares';
import type { ActivityDependencies } from '../dependencies';
import type { OutgoingMail } from './sender';
import { firstReportPage, reportPagesFrom } from '../../db/campaigns/report';
import type { Db } from '../../db/kernel/connection';
import { reportColumns } from '../../runtime/report/columns';
import { csvChunks } from '../../runtime/report/csv';

interface MailId {
  campaignId: string;
  /** Position in the ledger, starting at 1. */
  recipient: number;
}

/** Maximum number of contacts of each kind that the e-mail lists. */
const NOTEWORTHY = 5;

/** Concurrency limits. Each e-mail holds a report of up to 7 MB in memory. */
const LIMITS = { max: 4, maxPerOwner: 3, waiting: 1_000, waitMs: 30_000 };
/** Retry delay of an e-mail that got no slot. */
const BUSY_RETRY_MS = 10_000;

type Deps = Pick<ActivityDependencies, 'db' | 'mail' | 'log' | 'clock'> & {
  settings: Pick<ActivityDependencies['settings'], 'mails'>;
};

export function notifyingActivities(deps: Deps) {
  const { db, log } = deps;
  const shares = new Shares(LIMITS);
  return {
    /** Returns the pending e-mails, and the total number of the campaign's e-mails. */
    async mailsToSend({ campaignId }: { campaignId: string }): Promise<{
      mails: { recipient: number; createdAt: number }[];
      total: number;
    }> {
      const { mails, total } = await mailsToSend(db, campaignId);
      return {
        mails: mails.map(({ recipient, createdAt }) => ({ recipient, createdAt: createdAt.getTime() })),
        total,
      };
    },

    /**
     * Makes one attempt to send one e-mail. If the worker dies before it records the server's response, the e-mail is sent again with the
     * same Message-ID.
     * @throws ApplicationFailure `MailDelayed` if a retry may succeed. Its message contains the server's code but no address
     */
    async sendCompletionMail(id: MailId): Promise<MailOutcome> {
      const row = await findMail(db, id.campaignId, id.recipient);
      if (row === undefined) return 'skipped';
      const outcome = await shares.run(row.organizationId, () => sendOnce(deps, id));
      if (outcome === null) throw busy();
      return outcome;
    },

    /** Marks the pending e-mails of these recipients as failed. */
    async giveUpMails({
      campaignId,
      recipients,
      reason,
    }: {
      campaignId: string;
      recipients: number[];
      reason: string;
    }): Promise<void> {
      await closeMails(db, { campaignId, recipients, status: 'failed', reason });
      log.warn({ campaign_id: campaignId, recipients, reason }, 'completion e-mails were given up');
    },
  };
}

const busy = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'MailDelayed',
    message: 'this worker has reached its limit of concurrent e-mails',
    nextRetryDelay: BUSY_RETRY_MS,
  });

async function sendOnce(deps: Deps, id: MailId): Promise<MailOutcome> {
  const { db, mail, log, clock } = deps;
  const { campaignId, recipient } = id;
  const row = await findMail(db, campaignId, recipient);
  if (row === undefined) return 'skipped';
  if (row.status === 'unconfirmed') return 'skipped';
  if (row.status !== 'pending') return row.status;
  if (mail === null) return recordOutcome(deps, id, 'skipped', 'no mail server is configured');
  if (!isMailAddress(row.address))
    return recordOutcome(deps, id, 'failed', 'the address is not a single e-mail address');
  const message = await (row.kind === 'report' ? composed : composedQuestion)(deps, id, row.address);
  if (message === null) return recordOutcome(deps, id, 'failed', NOTHING_TO_SEND[row.kind]);
  const answer = await mail.send(message);
  const error = answer.kind === 'accepted' ? null : answer.error;
  const status = STATUS_AFTER[answer.kind];
  await recordMailAttempt(db, { campaignId, recipient, status, error, now: clock() });
  if (status === 'pending') throw ApplicationFailure.create({ type: 'MailDelayed', message: error ?? '' });
  if (status === 'failed') {
    log.warn({ campaign_id: campaignId, recipient, error }, 'a completion e-mail was rejected');
  }
  return status;
}

const NOTHING_TO_SEND = {
  report: 'its campaign has not ended',
  confirmation: 'the address was confirmed or removed before it was sent',
} as const;

const STATUS_AFTER = { accepted: 'sent', refused: 'failed', later: 'pending' } as const;

async function recordOutcome(
  { db, log }: Deps,
  { campaignId, recipient }: MailId,
  status: Exclude<MailOutcome, 'sent'>,
  reason: string,
): Promise<MailOutcome> {
  await closeMails(db, { campaignId, recipients: [recipient], status, reason });
  log.warn({ campaign_id: campaignId, recipient, reason }, 'a completion e-mail was not sent');
  return status;
}

/** Composes the confirmation request, or returns null if the address no longer needs confirmation. */
async function composedQuestion(
  { db, clock, settings }: Deps,
  { campaignId, recipient }: MailId,
  to: string,
): Promise<OutgoingMail | null> {
  const requested = await requestedConfirmation(db, campaignId, to);
  if (requested === undefined) return null;
  const { addressId, organizationName } = requested;
  const link = settings.mails.confirmationLink(addressId, clock());
  return {
    to,
    messageKey: `campaign-${campaignId}-${recipient}`,
    ...confirmationMail({ organizationName, link }),
    attachment: null,
  };
}

/** Composes the report, or returns null if the campaign has not ended. */
async function composed(
  { db }: Pick<ActivityDependencies, 'db'>,
  { campaignId, recipient }: MailId,
  to: string,
): Promise<OutgoingMail | null> {
  const facts = await completionFacts(db, campaignId, { noteworthy: NOTEWORTHY });
  if (facts === undefined) return null;
  const content = await reportAttachment(db, facts.campaign);
  const filename = `campaign-${campaignId}.csv`;
  const report: MailReport = content === null ? { kind: 'too_large' } : { kind: 'attached', filename };
  return {
    to,
    messageKey: `campaign-${campaignId}-${recipient}`,
    ...completionMail(facts, report),
    attachment: content === null ? null : { filename, contentType: 'text/csv; charset=utf-8', content },
  };
}

/** Base64 adds a third, which stays below the 10 MB limit of the strictest common servers. A report on 10,000 contacts takes 1 to 2 MB. */
const MAX_ATTACHMENT_BYTES = 7 * 1024 * 1024;

/** Returns the campaign's report as CSV, or null if it exceeds the limit. */
export async function reportAttachment(
  db: Db,
  campaign: { id: string; contactColumns: readonly string[] },
  maxBytes = MAX_ATTACHMENT_BYTES,
): Promise<Buffer | null> {
  const pages = reportPagesFrom(db, campaign.id, await firstReportPage(db, campaign.id));
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const text of csvChunks(reportColumns(campaign.contactColumns), pages)) {
    const chunk = Buffer.from(text, 'utf8');
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
