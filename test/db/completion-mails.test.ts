import { reportAttachment } from '../../activities/mail/report-attachment';
import { finishCampaign } from '../../db/campaigns/engine';
import { completionFacts } from '../../db/campaigns/completion-facts';
import {
  findMail,
  hasPendingMails,
  lookAgainAt,
  mailsToSend,
  recordMailAttempt,
  settleMails,
  unsentMails,
} from '../../db/campaigns/completion-mails';
import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type CampaignOptions } from './support/engine-database';

const TWO = ['a@example.com', 'b@example.com'];

describeWith('postgres', "the ledger of e-mails about a campaign's end", () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  beforeEach(() => rows(engine.db, 'delete from completion_mails'));
  afterAll(() => engine.close());

  const campaign = async (options: CampaignOptions = {}): Promise<string> => {
    const owner = await engine.owner();
    return engine.campaign(owner, { contacts: 1, notificationEmails: TWO, ...options });
  };

  /** Every contact is over: nothing is left but the end. */
  async function spent(options: CampaignOptions = {}): Promise<string> {
    const campaignId = await campaign(options);
    await rows(engine.db, `update contacts set state = 'completed' where campaign_id = :campaignId`, {
      campaignId,
    });
    await rows(
      engine.db,
      'update campaigns set completed_contacts = total_contacts, failed_contacts = 0 where id = :campaignId',
      { campaignId },
    );
    return campaignId;
  }

  const finish = (campaignId: string, mails: 'pending' | 'skipped' = 'pending') =>
    finishCampaign(engine.db, campaignId, engine.now, () => [], mails);

  const ledger = (campaignId: string) =>
    rows<{ recipient: number; address: string; status: string; attempts: number; last_error: string | null }>(
      engine.db,
      `select recipient, address, status, attempts, last_error, sent_at from completion_mails
       where campaign_id = :campaignId order by recipient`,
      { campaignId },
    );

  test('gets a row for each recipient with the end of the campaign, once however often it is ended', async () => {
    const campaignId = await spent();
    const results = await Promise.all([finish(campaignId), finish(campaignId), finish(campaignId)]);
    for (const result of results) expect(result).toMatchObject({ kind: 'finished', mails: true });
    expect(await ledger(campaignId)).toMatchObject([
      { recipient: 1, address: TWO[0], status: 'pending', attempts: 0 },
      { recipient: 2, address: TWO[1], status: 'pending', attempts: 0 },
    ]);
  });

  test('names an address once, in whatever case and however often the campaign does, in its order', async () => {
    const notificationEmails = ['b@example.com', 'A@example.com', 'B@Example.com', 'a@example.com'];
    const campaignId = await spent({ notificationEmails });
    await finish(campaignId);
    expect((await ledger(campaignId)).map(({ address }) => address)).toEqual([
      'b@example.com',
      'A@example.com',
    ]);
  });

  test('stays empty while the campaign has contacts left, and where its end is not written after all', async () => {
    const unfinished = await campaign();
    expect(await finish(unfinished)).toEqual({ kind: 'unfinished' });
    const campaignId = await spent();
    const failing = finishCampaign(
      engine.db,
      campaignId,
      engine.now,
      () => {
        throw new Error('no event');
      },
      'pending',
    );
    await expect(failing).rejects.toThrow('no event');
    expect([...(await ledger(unfinished)), ...(await ledger(campaignId))]).toEqual([]);
  });

  test('holds what is skipped without a mail server, and starts nothing', async () => {
    const campaignId = await spent();
    expect(await finish(campaignId, 'skipped')).toMatchObject({ kind: 'finished', mails: false });
    expect(await ledger(campaignId)).toMatchObject([{ status: 'skipped' }, { status: 'skipped' }]);
  });

  test('holds nothing for a campaign that names nobody', async () => {
    const campaignId = await spent({ notificationEmails: [] });
    expect(await finish(campaignId)).toMatchObject({ kind: 'finished', mails: false });
    expect(await ledger(campaignId)).toEqual([]);
  });

  test('counts attempts, and keeps what was settled as it was', async () => {
    const campaignId = await spent();
    await finish(campaignId);
    const attempt = (status: 'pending' | 'sent' | 'failed', error: string | null) =>
      recordMailAttempt(engine.db, { campaignId, recipient: 1, status, error, now: START + MINUTE_MS });
    await attempt('pending', 'answered 451');
    expect((await ledger(campaignId))[0]).toMatchObject({
      status: 'pending',
      attempts: 1,
      last_error: 'answered 451',
    });
    await attempt('sent', null);
    await attempt('failed', 'too late');
    expect((await ledger(campaignId))[0]).toMatchObject({
      status: 'sent',
      attempts: 2,
      last_error: null,
      sent_at: new Date(START + MINUTE_MS),
    });
    expect(await mailsToSend(engine.db, campaignId)).toEqual({
      mails: [{ recipient: 2, createdAt: new Date(START) }],
      total: 2,
    });
  });

  test('settles only what is pending, and keeps what the last attempt met with', async () => {
    const campaignId = await spent({ notificationEmails: [...TWO, 'c@example.com'] });
    await finish(campaignId);
    const attempt = { campaignId, now: START };
    await recordMailAttempt(engine.db, { ...attempt, recipient: 1, status: 'sent', error: null });
    await recordMailAttempt(engine.db, {
      ...attempt,
      recipient: 2,
      status: 'pending',
      error: 'answered 451',
    });
    await settleMails(engine.db, { campaignId, recipients: [1, 2, 3], status: 'failed', reason: 'given up' });
    expect(await ledger(campaignId)).toMatchObject([
      { status: 'sent', last_error: null },
      { status: 'failed', last_error: 'answered 451' },
      { status: 'failed', last_error: 'given up' },
    ]);
    expect(await hasPendingMails(engine.db, campaignId)).toBe(false);
    expect(await findMail(engine.db, campaignId, 4)).toBeUndefined();
  });

  test('is looked at half a minute after the end, and again only when that is due', async () => {
    const campaignId = await spent();
    await finish(campaignId);
    expect(await unsentMails(engine.db, START + 30_000)).toEqual([]);
    expect(await unsentMails(engine.db, START + 30_001)).toEqual([campaignId]);
    await lookAgainAt(engine.db, [campaignId], START + 5 * MINUTE_MS);
    expect(await unsentMails(engine.db, START + MINUTE_MS)).toEqual([]);
    await settleMails(engine.db, { campaignId, recipients: [1, 2], status: 'failed', reason: 'given up' });
    expect(await unsentMails(engine.db, START + 10 * MINUTE_MS)).toEqual([]);
  });
});

describeWith('postgres', "the facts of a campaign's end", () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  /** One call for each contact, in the order of the file. */
  async function campaignWith(
    ...ends: { state: string; reason?: string; call?: Record<string, unknown> }[]
  ): Promise<string> {
    const owner = await engine.owner();
    const id = await engine.campaign(owner, { contacts: ends.length, contactColumns: ['city'] });
    const contacts = await engine.contacts(id);
    for (const [index, { state, reason, call }] of ends.entries()) {
      const contact = contacts[index]!;
      await engine
        .db('contacts')
        .where({ id: contact.id })
        .update({ state, reason: reason ?? null });
      if (call === undefined) continue;
      await engine.db('calls').insert({
        call_id: `outbound-0-${id}-${index}`,
        client_id: owner.clientId,
        agent_id: owner.agentId,
        agent_version: 1,
        campaign_id: id,
        contact_id: contact.id,
        attempt: 1,
        call_type: 'Outbound',
        direction: 'Outbound',
        stage: 'over',
        accepted_at: new Date(START),
        asked_at: new Date(START + index * MINUTE_MS),
        ...call,
      });
    }
    await engine.set(id, { status: 'completed', ended_at: new Date(START + 60 * MINUTE_MS) });
    return id;
  }

  const talked = (outcome: string, more: Record<string, unknown> = {}) => ({
    state: 'completed',
    call: {
      call_status: 'completed',
      answered_at: new Date(START),
      duration_ms: 90_000,
      call_cost: 2,
      outcome,
      ...more,
    },
  });

  test('are counted from its contacts and calls', async () => {
    const id = await campaignWith(
      talked('interested'),
      talked('interested'),
      talked('callback_requested', {
        callback_requested: true,
        callback_status: 'failed',
        summary: 'Wants Friday.',
      }),
      talked('callback_requested', { callback_requested: true, callback_status: 'completed' }),
      { state: 'failed', reason: 'busy', call: { call_status: 'busy' } },
      { state: 'invalid', reason: 'invalid_number', call: { call_status: 'failed' } },
      { state: 'expired', reason: 'campaign_over' },
    );
    const facts = await completionFacts(engine.db, id, { noteworthy: 5 });
    expect(facts).toMatchObject({
      campaign: { id, clientName: 'A client', agentName: 'An agent', status: 'completed' },
      calls: { placed: 6, answered: 4, talkMs: 360_000, credits: 8, firstAt: new Date(START) },
      callbacks: [
        { status: 'completed', contacts: 1 },
        { status: 'failed', contacts: 1 },
      ],
      noteworthy: [
        { kind: 'callback', row: 4, name: 'Contact 4', summary: 'Wants Friday.' },
        { kind: 'invalid', row: 7, name: 'Contact 7', summary: null },
      ],
    });
    const groups = facts!.groups.map(({ state, reason, called, outcome, contacts }) =>
      [state, reason, called, outcome, contacts].join(' '),
    );
    expect(groups.sort()).toEqual([
      'completed  true callback_requested 2',
      'completed  true interested 2',
      'expired campaign_over false  1',
      'failed busy true  1',
      'invalid invalid_number true  1',
    ]);
  });

  test('name so many contacts of each kind, the first of the file', async () => {
    const wish = () => talked('callback_requested', { callback_requested: true });
    const id = await campaignWith(wish(), wish(), wish(), { state: 'invalid' }, { state: 'invalid' });
    const facts = await completionFacts(engine.db, id, { noteworthy: 2 });
    expect(facts!.noteworthy.map(({ kind, row }) => [kind, row])).toEqual([
      ['callback', 2],
      ['callback', 3],
      ['invalid', 5],
      ['invalid', 6],
    ]);
  });

  test('are none while it goes on', async () => {
    const id = await engine.campaign(await engine.owner());
    await expect(completionFacts(engine.db, id, { noteworthy: 5 })).resolves.toBeUndefined();
  });

  test('come with the report of every contact, unless it is larger than an e-mail may be', async () => {
    const id = await engine.campaign(await engine.owner(), { contacts: 2_500, contactColumns: ['city'] });
    const csv = await reportAttachment(engine.db, { id, contactColumns: ['city'] });
    const lines = csv!.toString('utf8').trimEnd().split('\r\n');
    expect([lines.length, lines.at(-1)]).toEqual([
      2_501,
      expect.stringMatching(/^2501,Contact 2501,\+9198765/),
    ]);
    const size = csv!.length;
    await expect(reportAttachment(engine.db, { id, contactColumns: ['city'] }, size)).resolves.toHaveLength(
      size,
    );
    await expect(reportAttachment(engine.db, { id, contactColumns: ['city'] }, size - 1)).resolves.toBeNull();
  });
});
