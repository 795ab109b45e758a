/** The e-mails about a campaign's end. Workflows name a recipient by its place in the ledger: addresses stay in Postgres. */
import { ApplicationFailure } from '@temporalio/activity';
import { completionFacts } from '../../db/campaigns/completion-facts';
import { findMail, mailsToSend, recordMailAttempt, settleMails } from '../../db/campaigns/completion-mails';
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
import { reportAttachment } from './report-attachment';
import type { OutgoingMail } from './sender';

export interface MailId {
  campaignId: string;
  /** The place in the ledger, from 1. */
  recipient: number;
}

/** Of each kind. */
const NOTEWORTHY = 5;

/** Each holds a report in memory, up to 7 MB. */
const LIMITS = { most: 4, mostOfOne: 3, waiting: 1_000, waitMs: 30_000 };
/** The delay of an e-mail that waited in vain for its turn. */
const BUSY_RETRY_MS = 10_000;

type Deps = Pick<ActivityDependencies, 'db' | 'mail' | 'log' | 'clock'> & {
  settings: Pick<ActivityDependencies['settings'], 'mails'>;
};

export function notifyingActivities(deps: Deps) {
  const { db, log } = deps;
  const shares = new Shares(LIMITS);
  return {
    /** The e-mails that are pending, each with the instant of its writing; and how many the campaign has in all. */
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
     * One attempt at one e-mail. A worker that dies between the server's answer and our record of it sends it again, under the same
     * Message-ID.
     * @throws ApplicationFailure `MailDelayed` where another attempt may succeed; its message is the server's code, no address
     */
    async sendCompletionMail(id: MailId): Promise<MailOutcome> {
      const row = await findMail(db, id.campaignId, id.recipient);
      if (row === undefined) return 'skipped';
      const outcome = await shares.run(row.clientId, () => sendOnce(deps, id));
      if (outcome === null) throw busy();
      return outcome;
    },

    /** Ends the attempts at what is still pending of these recipients. */
    async giveUpMails({
      campaignId,
      recipients,
      reason,
    }: {
      campaignId: string;
      recipients: number[];
      reason: string;
    }): Promise<void> {
      await settleMails(db, { campaignId, recipients, status: 'failed', reason });
      log.warn({ campaign_id: campaignId, recipients, reason }, 'completion e-mails were given up');
    },
  };
}

const busy = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'MailDelayed',
    message: 'as many e-mails as may be sent at once are under way',
    nextRetryDelay: BUSY_RETRY_MS,
  });

async function sendOnce(deps: Deps, id: MailId): Promise<MailOutcome> {
  const { db, mail, log, clock } = deps;
  const { campaignId, recipient } = id;
  const row = await findMail(db, campaignId, recipient);
  if (row === undefined) return 'skipped';
  if (row.status === 'unconfirmed') return 'skipped';
  if (row.status !== 'pending') return row.status;
  if (mail === null) return settle(deps, id, 'skipped', 'no mail server is configured');
  if (!isMailAddress(row.address)) return settle(deps, id, 'failed', 'it is no single e-mail address');
  const message = await (row.kind === 'report' ? composed : composedQuestion)(deps, id, row.address);
  if (message === null) return settle(deps, id, 'failed', NOTHING_TO_SEND[row.kind]);
  const answer = await mail.send(message);
  const error = answer.kind === 'accepted' ? null : answer.error;
  const status = STATUS_AFTER[answer.kind];
  await recordMailAttempt(db, { campaignId, recipient, status, error, now: clock() });
  if (status === 'pending') throw ApplicationFailure.create({ type: 'MailDelayed', message: error ?? '' });
  if (status === 'failed') {
    log.warn({ campaign_id: campaignId, recipient, error }, 'a completion e-mail was refused');
  }
  return status;
}

const NOTHING_TO_SEND = {
  report: 'its campaign has not ended',
  confirmation: 'the address was confirmed or removed meanwhile',
} as const;

const STATUS_AFTER = { accepted: 'sent', refused: 'failed', later: 'pending' } as const;

async function settle(
  { db, log }: Deps,
  { campaignId, recipient }: MailId,
  status: Exclude<MailOutcome, 'sent'>,
  reason: string,
): Promise<MailOutcome> {
  await settleMails(db, { campaignId, recipients: [recipient], status, reason });
  log.warn({ campaign_id: campaignId, recipient, reason }, 'a completion e-mail is not sent');
  return status;
}

/** Asks the owner of the address. Null where the answer is known. */
async function composedQuestion(
  { db, clock, settings }: Deps,
  { campaignId, recipient }: MailId,
  to: string,
): Promise<OutgoingMail | null> {
  const requested = await requestedConfirmation(db, campaignId, to);
  if (requested === undefined) return null;
  const { addressId, clientName } = requested;
  const link = settings.mails.confirmationLink(addressId, clock());
  return {
    to,
    messageKey: `campaign-${campaignId}-${recipient}`,
    ...confirmationMail({ clientName, link }),
    attachment: null,
  };
}

/** Null where there is no end to report. */
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
