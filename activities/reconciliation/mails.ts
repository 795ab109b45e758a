import { lookAgainAt, unsentMails } from '../../db/campaigns/completion-mails';
import { WORKFLOW_TYPES, workflowId, type NotificationInput } from '../../workflows/contract';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { MAIL_LOOK_MS } from './lateness';

/** Starts a workflow for each ended campaign with unsent e-mails and no running workflow for them. */
export async function repairMails(repair: Repair): Promise<void> {
  const { db, workflows, clock } = repair;
  const unsent = await unsentMails(db, clock());
  const looked: string[] = [];
  try {
    await eachOf(repair, unsent, async (campaignId) => {
      looked.push(campaignId);
      const id = workflowId.notification(campaignId);
      if ((await workflows.state(id)) === 'running') return;
      const input: NotificationInput = { campaignId };
      // After a terminated workflow, a new one continues from the ledger.
      await workflows.startOnce(WORKFLOW_TYPES.notification, id, input, { againAfterClose: true });
    });
  } finally {
    if (looked.length > 0) await lookAgainAt(db, looked, clock() + MAIL_LOOK_MS);
  }
}
