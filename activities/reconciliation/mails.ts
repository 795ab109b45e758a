import { lookAgainAt, unsentMails } from '../../db/completion-mails';
import { WORKFLOW_TYPES, workflowId, type NotificationInput } from '../../workflows/contract';
import type { Repair } from '.';
import { eachOf } from './each-of';
import { MAIL_LOOK_MS } from './lateness';

/** Ended campaigns with e-mails that nobody sends any more get a workflow for them. */
export async function repairMails({ db, workflows, clock }: Repair): Promise<void> {
  const unsent = await unsentMails(db, clock());
  try {
    await eachOf(unsent, async (campaignId) => {
      const id = workflowId.notification(campaignId);
      if ((await workflows.state(id)) === 'running') return;
      const input: NotificationInput = { campaignId };
      // Again after a terminated one: the ledger says what is left to do, and until when.
      await workflows.startOnce(WORKFLOW_TYPES.notification, id, input, { againAfterClose: true });
    });
  } finally {
    if (unsent.length > 0) await lookAgainAt(db, unsent, clock() + MAIL_LOOK_MS);
  }
}
