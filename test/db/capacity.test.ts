/** Tests how campaigns and dispatches share lines, and that organizations don't affect each other. */
import type { Knex } from 'knex';
import { startDial } from '../../db/calls/engine';
import { withdrawRest } from '../../db/campaigns/engine';
import { openDatabase } from '../../db/kernel/connection';
import { describeWith } from '../servers/availability';
import { NO_GUARDS } from '../servers/no-guards';
import { EngineDatabase, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const withdrawal = { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' } as const;

describeWith('postgres', 'the lines of an organization', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());

  /** Claims and registers calls of each campaign, as if all their workflows were woken. */
  async function feedAll(owner: Owner, campaigns: readonly string[]): Promise<string[]> {
    const granted: string[] = [];
    for (const campaignId of campaigns) granted.push(...(await engine.feed(owner, campaignId)).granted);
    return granted;
  }

  const campaignOf = async (callId: string) => (await engine.call(callId)).campaign_id as string | null;

  test('shares lines equally among campaigns of 12, 60 and 300 contacts while each has contacts left', async () => {
    const owner = await engine.owner(6);
    const sizes = [300, 12, 60];
    const campaigns: string[] = [];
    for (const contacts of sizes) {
      campaigns.push(await engine.campaign(owner, { contacts, concurrency: 6, maxAttempts: 1 }));
    }
    // The large campaign took all lines before the others started.
    const queue = await feedAll(owner, campaigns);
    expect(new Set(await Promise.all(queue.map(campaignOf)))).toEqual(new Set([campaigns[0]]));

    const grants = new Map(campaigns.map((id) => [id, 0]));
    for (let ended = 0; ended < 30; ended++) {
      engine.now += 1_000;
      const callId = queue.shift() ?? '';
      await engine.dial(callId);
      const handed = (await engine.end(callId, 'agent'))?.granted ?? [];
      const more = ended % 4 === 0 ? await feedAll(owner, campaigns) : [];
      for (const given of [...handed, ...more]) {
        const campaignId = (await campaignOf(given)) ?? '';
        grants.set(campaignId, (grants.get(campaignId) ?? 0) + 1);
        queue.push(given);
        const counts = [...grants.values()];
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }
    }
    expect([...grants.values()].reduce((sum, count) => sum + count)).toBe(30);
    expect(await violations(engine)).toEqual([]);
  });

  test('grants lines to a dispatch before the calls of all campaigns, even if those have waited longer', async () => {
    const owner = await engine.owner(2);
    const campaigns = [
      await engine.campaign(owner, { contacts: 5 }),
      await engine.campaign(owner, { contacts: 5 }),
    ];
    const [first = '', second = ''] = await feedAll(owner, campaigns);
    engine.now += 600_000;
    const dispatches = [await engine.dispatch(owner), await engine.dispatch(owner)];
    for (const callId of [first, second]) await engine.dial(callId);
    const handed = [await engine.end(first, 'agent'), await engine.end(second, 'agent')];
    expect(handed.flatMap((decision) => decision?.granted ?? []).sort()).toEqual(dispatches.sort());
  });

  test('gives a campaign only its normal share of lines after a pause', async () => {
    const owner = await engine.owner(1);
    const [rested = '', steady = ''] = [
      await engine.campaign(owner, { contacts: 8 }),
      await engine.campaign(owner, { contacts: 8 }),
    ];
    let [live = ''] = await feedAll(owner, [rested, steady]);
    await engine.dial(live);
    await engine.set(rested, { status: 'paused' });
    const turns: string[] = [];
    for (let n = 0; n < 9; n++) {
      if (n === 4) await engine.set(rested, { status: 'active' });
      if (n > 0) await engine.dial(live);
      await feedAll(owner, [rested, steady]);
      [live = ''] = (await engine.end(live, 'agent'))?.granted ?? [];
      turns.push((await campaignOf(live)) === rested ? 'rested' : 'steady');
    }
    expect(turns.slice(0, 4)).toEqual(['steady', 'steady', 'steady', 'steady']);
    expect(turns.slice(4)).toEqual(['rested', 'steady', 'rested', 'steady', 'rested']);
  });

  describe('while another organization is blocked', () => {
    /** Runs every step of a call and its campaign to the end. */
    async function wholeCourse(owner: Owner, campaignId: string): Promise<void> {
      const { granted } = await engine.feed(owner, campaignId);
      const [first = '', second = ''] = granted;
      await engine.dial(first);
      await engine.end(first, 'agent');
      await engine.returnLine(second);
      await engine.dial(await engine.dispatch(owner));
      await withdrawRest(engine.db, campaignId, withdrawal, engine.now);
    }

    test("completes every step of a call while a transaction locks the other organization's row and campaign", async () => {
      const [slow, quick] = [await engine.owner(3), await engine.owner(3)];
      const [large, small] = [
        await engine.campaign(slow, { contacts: 20 }),
        await engine.campaign(quick, { contacts: 10 }),
      ];
      const holder: Knex.Transaction = await engine.db.transaction();
      await holder.raw('select 1 from organizations where id = ? for update', [slow.organizationId]);
      await holder.raw('select 1 from campaigns where id = ? for update', [large]);
      let isFed = false;
      const fed = engine.feed(slow, large).then(() => (isFed = true));
      await engine.untilBlocked();
      await wholeCourse(quick, small);
      expect(isFed).toBe(false);
      expect((await engine.contacts(small)).map(({ state }) => state)).not.toContain('pending');
      await holder.commit();
      await fed;
    });

    test('serves 10 contacts while the other organization claims 10,000', async () => {
      const [large, small] = [await engine.owner(200), await engine.owner(10)];
      const thousands = await engine.campaign(large, { contacts: 10_000, concurrency: 200 });
      const ten = await engine.campaign(small, { contacts: 10, concurrency: 10 });
      const holder: Knex.Transaction = await engine.db.transaction();
      // The claim isn't committed, so all locks of the large organization are held.
      await engine.within(holder, () => engine.claim(thousands));
      const { granted } = await engine.feed(small, ten);
      expect(granted).toHaveLength(10);
      for (const callId of granted) {
        await engine.dial(callId);
        await engine.end(callId, 'agent');
      }
      expect(await engine.sums(ten)).toEqual({ inProgress: 0, completed: 10, failed: 0 });
      await holder.commit();
      expect((await engine.feed(large, thousands)).granted).toHaveLength(200);
    });
  });

  test('paces a trunk across workers, for campaigns and dispatches of several organizations', async () => {
    const callIds: string[] = [];
    for (let organization = 0; organization < 2; organization++) {
      const owner = await engine.owner(10);
      const campaignId = await engine.campaign(owner, { contacts: 8, concurrency: 8 });
      callIds.push(...(await engine.feed(owner, campaignId)).granted);
      callIds.push(await engine.dispatch(owner), await engine.dispatch(owner));
    }
    expect(callIds).toHaveLength(20);
    const other = openDatabase({
      url: engine.url,
      poolSize: 10,
      timeoutMs: 20_000,
      applicationName: 'another worker',
    });
    try {
      const guards = { ...NO_GUARDS, trunk: 'two workers', dialEveryMs: 100 };
      const ask = (callId: string, worker: number) =>
        startDial(worker === 0 ? engine.db : other, callId, {
          now: engine.now,
          notAfter: engine.now + 3_000,
          guards,
        });
      const steps = await Promise.all(callIds.map((callId, index) => ask(callId, index % 2)));
      const waits = steps.map((step) => (step.kind === 'paced' ? step.waitMs : 0));
      expect([...waits].sort((a, b) => a - b)).toEqual(callIds.map((_id, index) => index * 100));
      // Only the call that owns a slot can use the slot, no matter which worker dials.
      const from = engine.now;
      let dialled = 1;
      for (let turn = 1; turn < 20; turn++) {
        engine.now = from + turn * 100;
        const waiting = callIds.filter((_id, index) => (waits[index] ?? 0) >= turn * 100);
        const kinds = await Promise.all(
          waiting.map(async (callId, index) => (await ask(callId, index % 2)).kind),
        );
        dialled += kinds.filter((kind) => kind === 'ask').length;
        expect(dialled).toBe(turn + 1);
      }
    } finally {
      await other.destroy();
    }
  });

  describe('a pause in a burst of dials', () => {
    test('stops dialling after a pause between two dials', async () => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 2, concurrency: 2 });
      const [first = '', second = ''] = (await engine.feed(owner, campaignId)).granted;
      expect(await engine.begin(first)).toMatchObject({ kind: 'ask' });
      await engine.set(campaignId, { status: 'paused' });
      expect(await engine.begin(second)).toEqual({ kind: 'refused' });
      await engine.place(first);
      expect((await engine.returnLine(second)).granted).toEqual([]);
      await engine.end(first, 'agent');
      expect(await engine.linesOf(owner)).toEqual([]);
      await engine.set(campaignId, { status: 'active' });
      expect((await engine.register(owner, [])).granted).toEqual([second]);
      expect(await engine.begin(second)).toMatchObject({ kind: 'ask' });
    });

    test('stops dialling after a pause of a campaign with 20 simultaneous dials', async () => {
      const owner = await engine.owner(20);
      const campaignId = await engine.campaign(owner, { contacts: 20, concurrency: 20 });
      const { granted } = await engine.feed(owner, campaignId);
      let pausedAfter = -1;
      let begun = 0;
      const kinds = await Promise.all([
        ...granted.slice(0, 10).map(async (callId) => {
          const { kind } = await engine.begin(callId);
          if (kind === 'ask') begun++;
          return kind;
        }),
        engine.set(campaignId, { status: 'paused' }).then(async () => {
          pausedAfter = (await engine.stages(granted)).filter((stage) => stage === 'requested').length;
          return 'pause';
        }),
      ]);
      const after = await Promise.all(granted.slice(10).map(async (id) => (await engine.begin(id)).kind));
      expect(new Set(after)).toEqual(new Set(['refused']));
      expect(kinds.filter((kind) => kind === 'ask')).toHaveLength(begun);
      expect(pausedAfter).toBe(begun);
    });
  });
});
