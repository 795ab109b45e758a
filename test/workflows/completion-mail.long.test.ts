import { notifyingActivities } from '../../activities/mail/notifying';
import { finishCampaign } from '../../db/campaigns/engine';
import { insertCampaign } from '../../db/campaigns/campaigns';
import { rows } from '../../db/kernel/query';
import { TASK_QUEUE, workflowId, type NotificationResult } from '../../workflows/contract';
import { campaignDraft } from '../db/support/campaign-draft';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine } from './support/time-skipping-engine';

const NUMBERS = ['+919876500001', '+919876500002'];
const HOUR_MS = 3_600_000;

jest.setTimeout(60_000);

describeWith('time-skipping', "the e-mails about a campaign's end", () => {
  let engine: TimeSkippingEngine;

  // Each test gets its own server, because a server with a cancelled workflow no longer skips time.
  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
    engine.mail.answer = () => ({ kind: 'accepted' });
  });

  afterEach(async () => {
    await engine.stop();
  });

  const notificationOf = ({ id }: { id: string }) =>
    engine.env.client.workflow.getHandle(workflowId.notification(id));

  /** Creates a campaign that has just ended, with two contacts that were reached. */
  async function ended(...notificationEmails: string[]): Promise<{ id: string }> {
    const now = await engine.now();
    const campaign = await insertCampaign(
      engine.db,
      campaignDraft({
        ...(await engine.createClient()),
        contacts: NUMBERS.map((phoneNumber, index) => ({
          row: index + 2,
          name: `Contact ${index}`,
          phoneNumber,
          variables: {},
          duplicateOf: null,
        })),
        notificationEmails,
        now,
      }),
    );
    const { id } = campaign;
    await rows(engine.db, `update contacts set state = 'completed' where campaign_id = :id`, { id });
    await rows(engine.db, 'update campaigns set completed_contacts = total_contacts where id = :id', { id });
    await rows(
      engine.db,
      `insert into calls (call_id, organization_id, campaign_id, agent_id, agent_version, call_type, direction, stage, accepted_at, requested_at, ended_at, concluded_at)
       select 'call-' || id, organization_id, id, agent_id, 1, 'Outbound', 'Outbound', 'over', :now, :now, :now, :now from campaigns where id = :id`,
      { id, now: new Date(now) },
    );
    await finishCampaign(engine.db, id, now, () => [], {
      status: 'pending',
      confirmedDomains: ['*'],
      perDay: 0,
    });
    return campaign;
  }

  const start = ({ id }: { id: string }) =>
    engine.env.client.workflow.start('notificationWorkflow', {
      workflowId: workflowId.notification(id),
      taskQueue: TASK_QUEUE,
      args: [{ campaignId: id }],
    });

  async function notified(...addresses: string[]): Promise<NotificationResult> {
    return (await (await start(await ended(...addresses))).result()) as NotificationResult;
  }

  const ledger = () =>
    rows<{ address: string; status: string; attempts: number; last_error: string | null }>(
      engine.db,
      'select address, status, attempts, last_error from completion_mails order by recipient',
    );

  const later = { kind: 'later', error: 'the mail server answered with code 451 (EENVELOPE)' } as const;
  const refused = { kind: 'refused', error: 'the mail server answered with code 550 (EENVELOPE)' } as const;

  test('sends the report to each recipient separately, once', async () => {
    const result = await engine.run(() => notified('a@example.com', 'b@example.com'));
    expect(result).toEqual({ sent: 2, failed: 0, skipped: 0 });
    const { taken } = engine.mail;
    expect(taken.map(({ to }) => to).sort()).toEqual(['a@example.com', 'b@example.com']);
    expect(new Set(taken.map(({ messageKey }) => messageKey)).size).toBe(2);
    for (const mail of taken) {
      expect(mail.subject).toBe('Completed: A campaign (2 of 2 reached)');
      expect(mail.attachment?.content.toString('utf8')).toContain(`Contact 0,${NUMBERS[0]},completed`);
      expect(`${mail.text}${mail.html}`).not.toContain(NUMBERS[0]);
    }
    await expect(ledger()).resolves.toMatchObject([
      { status: 'sent', attempts: 1, last_error: null },
      { status: 'sent', attempts: 1, last_error: null },
    ]);
  });

  test('retries after one, two and four minutes with the same Message-ID while the server accepts nothing', async () => {
    engine.mail.answer = (to, nth) => (to === 'slow@example.com' && nth <= 3 ? later : { kind: 'accepted' });
    await engine.run(() => notified('slow@example.com', 'quick@example.com'));
    const slow = engine.mail.taken.filter(({ to }) => to === 'slow@example.com');
    const minutes = slow.slice(1).map(({ at }, index) => Math.round((at - slow[index]!.at) / 60_000));
    expect(minutes).toEqual([1, 2, 4]);
    expect(new Set(slow.map(({ messageKey }) => messageKey)).size).toBe(1);
    expect(engine.mail.taken).toHaveLength(5);
    await expect(ledger()).resolves.toMatchObject([
      { status: 'sent', attempts: 4, last_error: null },
      { status: 'sent', attempts: 1 },
    ]);
  });

  test('records a permanent rejection as failed, and does not retry', async () => {
    engine.mail.answer = (to) => (to === 'gone@example.com' ? refused : { kind: 'accepted' });
    const result = await engine.run(() => notified('gone@example.com', 'here@example.com'));
    expect(result).toEqual({ sent: 1, failed: 1, skipped: 0 });
    expect(engine.mail.taken).toHaveLength(2);
    await expect(ledger()).resolves.toMatchObject([
      { status: 'failed', attempts: 1, last_error: refused.error },
      { status: 'sent' },
    ]);
  });

  test("gives up after a day, and records the server's last response", async () => {
    engine.mail.answer = () => later;
    const result = await engine.run(() => notified('never@example.com'));
    expect(result).toEqual({ sent: 0, failed: 1, skipped: 0 });
    const { taken } = engine.mail;
    expect(taken.at(-1)!.at - taken[0]!.at).toBeGreaterThan(22 * HOUR_MS);
    expect(taken.at(-1)!.at - taken[0]!.at).toBeLessThanOrEqual(24 * HOUR_MS);
    await expect(ledger()).resolves.toMatchObject([{ status: 'failed', last_error: later.error }]);
  });

  test('sends an e-mail again with the same Message-ID if the worker died before recording the first one', async () => {
    engine.mail.answer = (_to, nth) => {
      if (nth === 1) throw new Error('the worker died');
      return { kind: 'accepted' };
    };
    await engine.run(() => notified('a@example.com'));
    expect(engine.mail.taken).toHaveLength(2);
    expect(new Set(engine.mail.taken.map(({ messageKey }) => messageKey)).size).toBe(1);
    await expect(ledger()).resolves.toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  test('sends each e-mail once through reconciliation if their workflow was never started', async () => {
    await engine.run(async () => {
      const campaign = await ended('a@example.com');
      const pass = async () => {
        await rows(engine.db, `update completion_mails set check_at = now() - interval '1 second'`);
        await engine.activities().reconcile({ afterOutage: false });
      };
      await pass();
      await notificationOf(campaign).result();
      await pass();
      await notificationOf(campaign).result();
    });
    expect(engine.mail.taken).toHaveLength(1);
    await expect(ledger()).resolves.toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  test('sends nothing for a cancelled campaign that called no one', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: NUMBERS,
        notificationEmails: ['a@example.com'],
        fromDay: 2,
      });
      await campaign.cancelWorkflow();
      await expect(campaign.finish()).resolves.toEqual({ status: 'cancelled' });
    });
    expect(engine.mail.taken).toEqual([]);
    await expect(ledger()).resolves.toMatchObject([
      { status: 'skipped', last_error: 'no contact was called' },
    ]);
  });

  test('starts no workflow if the campaign has no recipients', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: NUMBERS, fromDay: 2 });
      await campaign.cancelWorkflow();
      await campaign.finish();
      await expect(notificationOf(campaign).describe()).rejects.toMatchObject({
        name: 'WorkflowNotFoundError',
      });
    });
    expect(engine.mail.taken).toEqual([]);
  });

  test('stops sending if an operator cancels the workflow of the e-mails', async () => {
    engine.mail.answer = () => later;
    await engine.run(async () => {
      const handle = await start(await ended('a@example.com'));
      await handle.cancel();
      await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
    });
    await expect(ledger()).resolves.toMatchObject([{ status: 'failed' }]);
  });

  test('puts no e-mail address into Temporal', async () => {
    engine.mail.answer = (_to, nth) => (nth === 1 ? later : { kind: 'accepted' });
    const handle = await engine.run(async () => {
      const started = await start(await ended('secret-person@example.com'));
      await started.result();
      return started;
    });
    const kept = JSON.stringify(await handle.fetchHistory());
    const payloads = [...kept.matchAll(/"data":"([^"]*)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString('utf8'),
    );
    const history = `${kept}${payloads.join()}`;
    expect(history).toContain('"recipient":1');
    expect(history).not.toContain('secret-person');
  });

  test('sends nothing to a recipient string that contains two addresses', async () => {
    const result = await engine.run(() => notified('a@example.com, b@example.com'));
    expect(result).toEqual({ sent: 0, failed: 1, skipped: 0 });
    expect(engine.mail.taken).toEqual([]);
    await expect(ledger()).resolves.toMatchObject([
      { status: 'failed', attempts: 0, last_error: 'the address is not a single e-mail address' },
    ]);
  });

  test('skips e-mails if the mail server was removed from the configuration in the meantime', async () => {
    const campaign = await ended('a@example.com');
    const activities = notifyingActivities({
      db: engine.db,
      mail: null,
      log: { info: () => undefined, warn: () => undefined },
      clock: Date.now,
      settings: { mails: { confirmedDomains: [], perDay: 0, confirmationLink: () => '' } },
    });
    await expect(activities.sendCompletionMail({ campaignId: campaign.id, recipient: 1 })).resolves.toBe(
      'skipped',
    );
    await expect(ledger()).resolves.toMatchObject([{ status: 'skipped' }]);
  });

  test("sends e-mails when a campaign's last call has ended", async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: NUMBERS,
        notificationEmails: ['a@example.com'],
      });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      await expect(notificationOf(campaign).result()).resolves.toEqual({ sent: 1, failed: 0, skipped: 0 });
    });
    expect(engine.mail.taken.map(({ subject }) => subject)).toEqual([
      'Completed: A campaign (2 of 2 reached)',
    ]);
    expect(engine.mail.taken[0]!.text).toMatch(/minutes talked {2}2(\.\d+)?\n {2}credits +\d\n/);
  });
});
