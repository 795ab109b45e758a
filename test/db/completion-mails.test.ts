import { finishCampaign } from '../../db/campaigns/engine';
import {
  findMail,
  hasPendingMails,
  checkAgainAt,
  mailsToSend,
  recordMailAttempt,
  recipientsOf,
  closeMails,
  unsentMails,
  type CompletionMailRules,
} from '../../db/campaigns/completion-mails';
import {
  allowAddress,
  confirmAddress,
  forgetUnconfirmed,
  MAX_CONFIRMATIONS_PER_DAY,
  requestConfirmations,
} from '../../db/campaigns/mail-addresses';
import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type CampaignOptions } from './support/engine-database';

const ALLOWED: CompletionMailRules = { status: 'pending', confirmedDomains: ['*'], perDay: 0 };
const DAY_MS = 86_400_000;
const TWO = ['a@example.com', 'b@example.com'];

describeWith('postgres', "the e-mails about a campaign's end", () => {
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

  /** Returns a campaign whose contacts have all ended, so that only its own end is left. */
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
    await dialled(campaignId);
    return campaignId;
  }

  /** Marks a contact of the campaign as called. */
  const dialled = (campaignId: string) =>
    rows(
      engine.db,
      `insert into calls (call_id, organization_id, campaign_id, agent_id, agent_version, call_type, direction, stage, accepted_at, requested_at, ended_at, concluded_at)
       select 'call-' || id, organization_id, id, agent_id, 1, 'Outbound', 'Outbound', 'over', :now, :now, :now, :now from campaigns where id = :campaignId`,
      { campaignId, now: new Date(engine.now) },
    );

  const finish = (
    campaignId: string,
    status: 'pending' | 'skipped' = 'pending',
    rules: Partial<CompletionMailRules> = {},
  ) => finishCampaign(engine.db, campaignId, engine.now, () => [], { ...ALLOWED, ...rules, status });

  const ledger = (campaignId: string) =>
    rows<{ recipient: number; address: string; status: string; attempts: number; last_error: string | null }>(
      engine.db,
      `select recipient, address, status, attempts, last_error, sent_at from completion_mails
       where campaign_id = :campaignId order by recipient`,
      { campaignId },
    );

  test('writes one row per recipient when the campaign ends, even if it is ended repeatedly', async () => {
    const campaignId = await spent();
    const results = await Promise.all([finish(campaignId), finish(campaignId), finish(campaignId)]);
    for (const result of results) expect(result).toMatchObject({ kind: 'finished', mails: true });
    expect(await ledger(campaignId)).toMatchObject([
      { recipient: 1, address: TWO[0], status: 'pending', attempts: 0 },
      { recipient: 2, address: TWO[1], status: 'pending', attempts: 0 },
    ]);
  });

  test('lists each address once, ignoring case, in the order of the campaign', async () => {
    const notificationEmails = ['b@example.com', 'A@example.com', 'B@Example.com', 'a@example.com'];
    const campaignId = await spent({ notificationEmails });
    await finish(campaignId);
    expect((await ledger(campaignId)).map(({ address }) => address)).toEqual([
      'b@example.com',
      'A@example.com',
    ]);
  });

  test('writes no e-mail while contacts are left, or if the end is rolled back', async () => {
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
      ALLOWED,
    );
    await expect(failing).rejects.toThrow('no event');
    expect([...(await ledger(unfinished)), ...(await ledger(campaignId))]).toEqual([]);
  });

  test('records e-mails as skipped and starts no workflow if there is no mail server', async () => {
    const campaignId = await spent();
    expect(await finish(campaignId, 'skipped')).toMatchObject({ kind: 'finished', mails: false });
    expect(await ledger(campaignId)).toMatchObject([{ status: 'skipped' }, { status: 'skipped' }]);
  });

  test('writes no e-mail for a campaign without recipients', async () => {
    const campaignId = await spent({ notificationEmails: [] });
    expect(await finish(campaignId)).toMatchObject({ kind: 'finished', mails: false });
    expect(await ledger(campaignId)).toEqual([]);
  });

  test('counts the attempts of an e-mail and keeps its final status', async () => {
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

  test('closes only pending e-mails and keeps their last error', async () => {
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
    await closeMails(engine.db, { campaignId, recipients: [1, 2, 3], status: 'failed', reason: 'given up' });
    expect(await ledger(campaignId)).toMatchObject([
      { status: 'sent', last_error: null },
      { status: 'failed', last_error: 'answered 451' },
      { status: 'failed', last_error: 'given up' },
    ]);
    expect(await hasPendingMails(engine.db, campaignId)).toBe(false);
    expect(await findMail(engine.db, campaignId, 4)).toBeUndefined();
  });

  test('finds unsent e-mails half a minute after the end, and again only when the next check is due', async () => {
    const campaignId = await spent();
    await finish(campaignId);
    expect(await unsentMails(engine.db, START + 30_000)).toEqual([]);
    expect(await unsentMails(engine.db, START + 30_001)).toEqual([campaignId]);
    await checkAgainAt(engine.db, [campaignId], START + 5 * MINUTE_MS);
    expect(await unsentMails(engine.db, START + MINUTE_MS)).toEqual([]);
    await closeMails(engine.db, { campaignId, recipients: [1, 2], status: 'failed', reason: 'given up' });
    expect(await unsentMails(engine.db, START + 10 * MINUTE_MS)).toEqual([]);
  });

  describe('mails to an address', () => {
    const NONE = { confirmedDomains: [] };
    const organizationOf = async (campaignId: string) =>
      (await engine.campaignRow(campaignId)).organization_id as string;
    const ask = async (campaignId: string, addresses: string[], now: number = engine.now) =>
      requestConfirmations(engine.db, {
        ...{
          organizationId: await organizationOf(campaignId),
          campaignId,
          addresses,
          confirmedDomains: ['own.example'],
        },
        now,
      });
    const asked = async (campaignId: string) =>
      (await engine.db('completion_mails').where({ campaign_id: campaignId, kind: 'confirmation' })).map(
        ({ address }) => address as string,
      );

    test('sends nothing to an address until it is confirmed, and shows this in the campaign', async () => {
      const campaignId = await spent();
      const organizationId = await organizationOf(campaignId);
      await allowAddress(engine.db, organizationId, 'B@Example.com', engine.now);
      expect(await recipientsOf(engine.db, campaignId, [])).toEqual([
        { email: TWO[0], status: 'unconfirmed' },
        { email: TWO[1], status: 'confirmed' },
      ]);
      await finish(campaignId, 'pending', NONE);
      const statuses = (await ledger(campaignId)).map(({ status }) => status);
      expect(statuses).toEqual(['unconfirmed', 'pending']);
      expect(await recipientsOf(engine.db, campaignId, [])).toEqual([
        { email: TWO[0], status: 'unconfirmed' },
        { email: TWO[1], status: 'pending' },
      ]);
    });

    test('requires no confirmation in a domain that the operator allows, but requires it in subdomains', async () => {
      const campaignId = await spent({
        notificationEmails: ['a@EXAMPLE.com', 'b@sub.example.com', 'c@example.com.evil.test'],
      });
      await finish(campaignId, 'pending', { confirmedDomains: ['example.com'] });
      expect((await ledger(campaignId)).map(({ status }) => status)).toEqual([
        'pending',
        'unconfirmed',
        'unconfirmed',
      ]);
    });

    test('requests confirmation once a day, and not after the address is confirmed', async () => {
      const campaignId = await campaign();
      await Promise.all(
        [1, 2, 3].map(() => ask(campaignId, ['A@example.com', 'a@example.com', 'x@own.example'])),
      );
      expect(await asked(campaignId)).toEqual(['a@example.com']);
      await ask(campaignId, TWO, engine.now + DAY_MS);
      expect((await asked(campaignId)).sort()).toEqual(['a@example.com', 'a@example.com', 'b@example.com']);
      const [row] = await engine
        .db('mail_addresses')
        .where({ organization_id: await organizationOf(campaignId), address: TWO[0] });
      await confirmAddress(engine.db, row.id, engine.now);
      await ask(campaignId, TWO, engine.now + 3 * DAY_MS);
      expect((await asked(campaignId)).filter((address) => address === TWO[0])).toHaveLength(2);
    });

    test('requests confirmation of at most 20 addresses of an organization per day', async () => {
      const campaignId = await campaign();
      const addresses = Array.from(
        { length: MAX_CONFIRMATIONS_PER_DAY + 5 },
        (_none, n) => `n${n}@example.com`,
      );
      await Promise.all([ask(campaignId, addresses.slice(0, 12)), ask(campaignId, addresses.slice(12))]);
      expect(await asked(campaignId)).toHaveLength(MAX_CONFIRMATIONS_PER_DAY);
      const elsewhere = await campaign();
      await ask(elsewhere, TWO);
      expect(await asked(elsewhere)).toHaveLength(2);
    });

    test('deletes an address that is not confirmed within 30 days', async () => {
      const campaignId = await campaign();
      await ask(campaignId, TWO);
      await allowAddress(engine.db, await organizationOf(campaignId), TWO[0]!, engine.now);
      await forgetUnconfirmed(engine.db, engine.now + 31 * DAY_MS);
      const left = await engine
        .db('mail_addresses')
        .where({ organization_id: await organizationOf(campaignId) });
      expect(left).toMatchObject([{ address: TWO[0] }]);
      expect(await asked(campaignId)).toEqual([TWO[0], '']);
    });
  });

  test('skips the e-mails of a campaign that called no contact', async () => {
    const campaignId = await spent();
    await engine.db('calls').where({ campaign_id: campaignId }).delete();
    expect(await finish(campaignId)).toMatchObject({ kind: 'finished', mails: false });
    expect(await ledger(campaignId)).toMatchObject([
      { status: 'skipped', last_error: 'no contact was called' },
      { status: 'skipped', last_error: 'no contact was called' },
    ]);
  });

  test('limits e-mails per day and organization', async () => {
    const owner = await engine.owner();
    const end = async () => {
      const campaignId = await engine.campaign(owner, { contacts: 1, notificationEmails: TWO });
      await engine.db('contacts').where({ campaign_id: campaignId }).update({ state: 'completed' });
      await rows(
        engine.db,
        'update campaigns set completed_contacts = total_contacts where id = :campaignId',
        { campaignId },
      );
      await dialled(campaignId);
      await finish(campaignId, 'pending', { perDay: 3 });
      return (await ledger(campaignId)).map(({ status }) => status);
    };
    expect([await end(), await end(), await end()]).toEqual([
      ['pending', 'pending'],
      ['pending', 'skipped'],
      ['skipped', 'skipped'],
    ]);
  });
});
