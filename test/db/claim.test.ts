import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START } from './support/engine-database';

describeWith('postgres', 'claim_page()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  test.each([
    ['a call per line and three rounds ready ahead', { concurrency: 5 }, 10, 20],
    ['at least six calls ready ahead', { concurrency: 1 }, 10, 7],
    ['at most three hundred calls ready ahead', { concurrency: 150 }, 200, 450],
    ['no more lines than its organization has', { concurrency: 50 }, 4, 16],
  ])(
    'claims the right number of calls for a campaign: %s',
    async (_what, options, maxConcurrency, expected) => {
      const owner = await engine.owner(maxConcurrency);
      const campaignId = await engine.campaign(owner, { ...options, contacts: 500 });
      const page = await engine.claim(campaignId);
      expect(page.claimed).toHaveLength(expected);
      expect(page.more).toBe(false);
    },
  );

  test('claims one page at a time, and returns whether another page is needed', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 40, concurrency: 5 });
    const pages: [number, boolean][] = [];
    for (let more = true; more;) {
      const page = await engine.claim(campaignId, { limit: 6 });
      await engine.register(
        owner,
        page.claimed.map(({ callId }) => callId),
      );
      pages.push([page.claimed.length, page.more]);
      more = page.more;
    }
    expect(pages).toEqual([
      [6, true],
      [6, true],
      [6, true],
      [2, false],
    ]);
    expect((await engine.claim(campaignId, { limit: 6 })).claimed).toEqual([]);
  });

  test('returns that no other page is needed if this one was large enough', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 20, concurrency: 2 });
    const page = await engine.claim(campaignId, { limit: 8 });
    expect([page.claimed.length, page.more]).toEqual([8, false]);
  });

  test('leaves updated_at of an active campaign unchanged', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner);
    await engine.claim(campaignId);
    const { updated_at: updatedAt } = await engine.campaignRow(campaignId);
    engine.now += 1_000;
    await engine.claim(campaignId);
    expect((await engine.campaignRow(campaignId)).updated_at).toEqual(updatedAt);
  });

  test('returns that no other page is needed if no contacts are left', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 4, concurrency: 5 });
    expect(await engine.claim(campaignId, { limit: 6 })).toMatchObject({ more: false });
  });

  test('creates one call with our id per contact, in the order of the file', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 3 });
    const { claimed, granted } = await engine.claim(campaignId);
    const contacts = await engine.contacts(campaignId);
    expect(contacts.map(({ callId }) => callId)).toEqual(claimed.map(({ callId }) => callId));
    expect(claimed.map(({ attempt, maxAttempts }) => [attempt, maxAttempts])).toEqual([
      [1, 3],
      [1, 3],
      [1, 3],
    ]);
    expect(granted).toEqual([]);
    const callId = claimed[0]?.callId ?? '';
    expect(callId).toMatch(/^outbound-1793595600-[0-9a-f]{32}$/);
    expect(await engine.call(callId)).toMatchObject({
      stage: 'claimed',
      call_status: 'queued',
      call_type: 'Outbound',
      direction: 'Outbound',
      to_number: '+919876500000',
      name: 'Contact 2',
      metadata: { city: 'Pune' },
      attempt: 1,
      accepted_at: new Date(START),
    });
  });

  test('returns the same calls and creates none when it runs again before they are registered', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 4, concurrency: 2 });
    const first = await engine.claim(campaignId);
    engine.now += 1_000;
    expect(await engine.claim(campaignId)).toEqual(first);
    await engine.register(
      owner,
      first.claimed.slice(0, 3).map(({ callId }) => callId),
    );
    expect((await engine.claim(campaignId)).claimed).toEqual(first.claimed.slice(3));
    await engine.register(
      owner,
      first.claimed.slice(3).map(({ callId }) => callId),
    );
    expect((await engine.claim(campaignId)).claimed).toEqual([]);
  });

  test('creates one call per contact in two simultaneous runs', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 4, concurrency: 2 });
    const pages = await Promise.all(Array.from({ length: 8 }, () => engine.claim(campaignId)));
    for (const page of pages) expect(page).toEqual(pages[0]);
    const made = await engine.db('calls').where({ campaign_id: campaignId });
    expect(made).toHaveLength(4);
  });

  test('claims due redials before first dials, most overdue first, and skips redials that are not due yet', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 5, concurrency: 1 });
    const [first, second, third] = await engine.contacts(campaignId);
    const redial = (id: number | undefined, at: number) =>
      engine
        .db('contacts')
        .where({ id })
        .update({ attempts: 1, next_attempt_at: new Date(at) });
    await redial(first?.id, START + 1);
    await redial(second?.id, START);
    await redial(third?.id, START - MINUTE_MS);
    const page = await engine.claim(campaignId, { limit: 3 });
    const claimedOf = async () =>
      (await engine.contacts(campaignId)).filter(({ callId }) => callId !== null).map(({ row }) => row);
    expect(await claimedOf()).toEqual([3, 4, 5]);
    expect(page.claimed.map(({ attempt }) => attempt)).toEqual([2, 2, 1]);
  });

  test('claims the most overdue redials first', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 6, concurrency: 1 });
    const contacts = await engine.contacts(campaignId);
    await Promise.all(
      contacts.map(({ id }, index) =>
        engine
          .db('contacts')
          .where({ id })
          .update({ attempts: 1, next_attempt_at: new Date(START - index * 1_000) }),
      ),
    );
    await engine.claim(campaignId, { limit: 3 });
    const taken = (await engine.contacts(campaignId)).filter(({ callId }) => callId !== null);
    expect(taken.map(({ row }) => row)).toEqual([5, 6, 7]);
  });

  test.each(['paused', 'completed', 'cancelled'])(
    'returns nothing for a %s campaign and changes nothing',
    async (status) => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner);
      await engine.set(campaignId, { status });
      expect(await engine.claim(campaignId)).toEqual({ claimed: [], granted: [], more: false });
      expect(await engine.campaignRow(campaignId)).toMatchObject({ status, dialing_until: null });
    },
  );

  test.each(['scheduled', 'paused_out_of_range'])('activates a campaign that was %s', async (status) => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner);
    await engine.set(campaignId, { status, status_reason: 'outside' });
    engine.now += 1_000;
    await engine.claim(campaignId);
    expect(await engine.campaignRow(campaignId)).toMatchObject({
      status: 'active',
      status_reason: null,
      dialing_until: new Date(engine.now + 60 * MINUTE_MS),
      updated_at: new Date(engine.now),
    });
  });

  test('skips duplicates', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1, duplicates: 2 });
    expect((await engine.claim(campaignId)).claimed).toHaveLength(1);
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 2 });
  });

  test('grants lines to waiting calls once the dialling time is known', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 4, concurrency: 2 });
    const { claimed } = await engine.claim(campaignId, { dialUntil: engine.now });
    const callIds = claimed.map(({ callId }) => callId);
    expect((await engine.register(owner, callIds)).granted).toEqual([]);
    expect((await engine.claim(campaignId)).granted).toEqual(callIds.slice(0, 2));
  });
});
