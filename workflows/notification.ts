/**
 * Sends the e-mails about a campaign's end, one to each recipient. The ledger in Postgres lists the e-mails that still have to be sent. A
 * recipient is identified by position, because no address may reach Temporal.
 */
import { ActivityFailure, CancellationScope, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import { completionMail, notificationRows } from './activity-proxies';
import { workflowId, type CampaignInput, type NotificationInput, type NotificationResult } from './contract';
import type { MailOutcome } from '../domain/completion-mail';
import { startDetachedChild } from './start-detached-child';

/** Counted from the campaign's end. */
const SEND_WITHIN_MS = 24 * 60 * 60_000;
/** Minimum time for sending, even if the day has already passed. */
const MIN_TIME_MS = 5 * 60_000;

export async function notificationWorkflow({ campaignId }: NotificationInput): Promise<NotificationResult> {
  // A cancellation must not skip this step, because a replay may find it in the history.
  const { mails, total } = await CancellationScope.nonCancellable(() =>
    notificationRows.mailsToSend({ campaignId }),
  );
  const result: NotificationResult = { sent: 0, failed: 0, skipped: 0 };
  const setDetails = () =>
    setCurrentDetails(`${result.sent} of ${mails.length} e-mails sent, ${result.failed} given up`);
  setDetails();
  try {
    await unlessCancelled(() =>
      Promise.all(
        mails.map(async ({ recipient, createdAt }) => {
          const timeLeftMs = Math.max(MIN_TIME_MS, createdAt + SEND_WITHIN_MS - Date.now());
          result[await send(campaignId, recipient, { total, timeLeftMs })] += 1;
          setDetails();
        }),
      ),
    );
  } catch (error) {
    if (!isCancellation(error)) throw error;
    // An operator cancelled the workflow, so unsent e-mails stay unsent.
    const recipients = mails.map(({ recipient }) => recipient);
    await CancellationScope.nonCancellable(() =>
      notificationRows.giveUpMails({ campaignId, recipients, reason: 'cancelled by an operator' }),
    );
    throw error;
  }
  return result;
}

async function send(
  campaignId: string,
  recipient: number,
  { total, timeLeftMs }: { total: number; timeLeftMs: number },
): Promise<MailOutcome> {
  const mail = completionMail({ summary: `e-mail ${recipient} of ${total}`, timeLeftMs });
  try {
    return await mail.sendCompletionMail({ campaignId, recipient });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const reason = 'the mail server did not accept it in time';
    await notificationRows.giveUpMails({ campaignId, recipients: [recipient], reason });
    return 'failed';
  }
}

/** Starts the e-mails of a campaign that ends. They continue without the campaign's workflow. */
export async function startNotification(owner: CampaignInput): Promise<void> {
  const { campaignId } = owner;
  await startDetachedChild(notificationWorkflow, {
    workflowId: workflowId.notification(campaignId),
    input: { campaignId },
    summary: "e-mails about the campaign's end",
    owner,
  });
}

/**
 * Runs `work`. Fails once the workflow is cancelled. Always issues the first commands of `work`, because a replay may see the cancellation
 * earlier than the original run did ("Workflow code and signals" in docs/architecture.md).
 */
function unlessCancelled<T>(work: () => Promise<T>): Promise<T> {
  return Promise.race([CancellationScope.nonCancellable(work), CancellationScope.current().cancelRequested]);
}
