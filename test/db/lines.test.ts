import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START } from './support/engine-database';
import { violations } from './support/invariants';

describeWith('postgres', 'grant_lines()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  test('grants a campaign as many lines as its concurrency, in the order of its contacts', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 5, concurrency: 2 });
    const { claimed, granted } = await engine.feed(owner, campaignId);
    expect(granted).toEqual(claimed.slice(0, 2));
    expect(await engine.stages(claimed)).toEqual(['granted', 'granted', 'waiting', 'waiting', 'waiting']);
    expect(await engine.linesOf(owner)).toEqual([...granted].sort());
  });

  test("grants at most the organization's maximum to its campaigns and dispatches together", async () => {
    const owner = await engine.owner(3);
    const one = await engine.campaign(owner, { concurrency: 2 });
    const two = await engine.campaign(owner, { concurrency: 3 });
    await engine.feed(owner, one);
    await engine.feed(owner, two);
    await engine.dispatch(owner);
    expect(await engine.linesOf(owner)).toHaveLength(3);
    expect(await violations(engine)).toEqual([]);
  });

  test('takes no line from another organization', async () => {
    const [full, other] = [await engine.owner(1), await engine.owner(1)];
    await engine.dispatch(full);
    await engine.dispatch(full);
    const callId = await engine.dispatch(other);
    expect(await engine.linesOf(other)).toEqual([callId]);
  });

  test('grants a freed line to the longest waiting dispatch before any campaign', async () => {
    const owner = await engine.owner(1);
    const campaignId = await engine.campaign(owner);
    const [first = ''] = (await engine.feed(owner, campaignId)).granted;
    engine.now += 1_000;
    const dispatches = [await engine.dispatch(owner)];
    engine.now += 1_000;
    dispatches.push(await engine.dispatch(owner));
    await engine.dial(first);
    expect((await engine.end(first, 'agent'))?.granted).toEqual([dispatches[0]]);
    expect((await engine.end(dispatches[0] ?? '', 'agent'))?.granted).toEqual([dispatches[1]]);
  });

  test('serves the campaigns of an organization in turn', async () => {
    const owner = await engine.owner(1);
    const campaigns = [
      await engine.campaign(owner, { contacts: 3 }),
      await engine.campaign(owner, { contacts: 3 }),
      await engine.campaign(owner, { contacts: 3 }),
    ];
    let [live] = (await engine.feed(owner, campaigns[0] ?? '')).granted;
    for (const campaignId of campaigns.slice(1)) await engine.feed(owner, campaignId);
    const turns: number[] = [];
    while (live !== undefined) {
      turns.push(campaigns.indexOf((await engine.call(live)).campaign_id as string));
      await engine.dial(live);
      [live] = (await engine.end(live, 'agent'))?.granted ?? [];
    }
    expect(turns).toHaveLength(9);
    for (const round of [0, 3, 6]) expect(turns.slice(round, round + 3).sort()).toEqual([0, 1, 2]);
  });

  test('skips a campaign that is at its concurrency', async () => {
    const owner = await engine.owner(3);
    const small = await engine.campaign(owner, { contacts: 3, concurrency: 1 });
    const large = await engine.campaign(owner, { contacts: 4, concurrency: 5 });
    await engine.feed(owner, small);
    await engine.feed(owner, large);
    const lines = await rows<{ campaign_id: string; count: number }>(
      engine.db,
      'select campaign_id, count(*) from lines where organization_id = :organizationId group by 1',
      { organizationId: owner.organizationId },
    );
    expect(new Map(lines.map((line) => [line.campaign_id, line.count]))).toEqual(
      new Map([
        [small, 1],
        [large, 2],
      ]),
    );
  });

  test.each(['paused', 'cancelled', 'scheduled', 'paused_out_of_range'])(
    'grants nothing to a campaign that is %s',
    async (status) => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner);
      const { claimed } = await engine.claim(campaignId);
      await engine.set(campaignId, { status });
      const callIds = claimed.map(({ callId }) => callId);
      expect((await engine.register(owner, callIds)).granted).toEqual([]);
    },
  );

  test('grants nothing once dialling must stop', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner);
    const { claimed } = await engine.claim(campaignId);
    engine.now = START + 60 * MINUTE_MS;
    const callIds = claimed.map(({ callId }) => callId);
    expect((await engine.register(owner, callIds)).granted).toEqual([]);
    engine.now -= 1;
    expect((await engine.register(owner, [])).granted).toHaveLength(2);
  });

  test("grants no line to a call that isn't registered", async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner);
    await engine.claim(campaignId);
    const unstarted = await engine.dispatch(owner, { queued: false });
    expect((await engine.register(owner, [])).granted).toEqual([]);
    expect(await engine.stages([unstarted])).toEqual(['claimed']);
  });

  test('changes nothing when a call registers again', async () => {
    const owner = await engine.owner(1);
    const callIds = [await engine.dispatch(owner), await engine.dispatch(owner)];
    engine.now += 1_000;
    expect((await engine.register(owner, callIds)).granted).toEqual([]);
    expect((await engine.call(callIds[1] ?? '')).waiting_since).toEqual(new Date(START));
  });

  test('lets live calls keep their lines after the concurrency is lowered, and limits new grants', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 6, concurrency: 3 });
    const { granted } = await engine.feed(owner, campaignId);
    for (const callId of granted) await engine.dial(callId);
    await engine.set(campaignId, { concurrency: 1 });
    const handed: number[] = [];
    for (const callId of granted) handed.push((await engine.end(callId, 'agent'))?.granted.length ?? -1);
    expect(handed).toEqual([0, 0, 1]);
  });

  test("lets live calls keep their lines after the organization's maximum is lowered, and limits new grants", async () => {
    const owner = await engine.owner(3);
    const callIds: string[] = [];
    for (let n = 0; n < 5; n++) {
      engine.now += 1_000;
      callIds.push(await engine.dispatch(owner));
    }
    const live = callIds.slice(0, 3);
    for (const callId of live) await engine.dial(callId);
    await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: 1 });
    expect(await engine.linesOf(owner)).toEqual([...live].sort());
    const handed: string[][] = [];
    for (const callId of live) handed.push((await engine.end(callId, 'agent'))?.granted ?? ['over']);
    expect(handed).toEqual([[], [], [callIds[3]]]);
  });

  describe('return_line()', () => {
    test('grants the line to the next call, and puts the call back at its place in the queue', async () => {
      const owner = await engine.owner(1);
      const campaignId = await engine.campaign(owner, { contacts: 2 });
      const { claimed } = await engine.feed(owner, campaignId);
      const [first = ''] = claimed;
      const dispatched = await engine.dispatch(owner);
      await engine.set(campaignId, { status: 'paused' });
      expect(await engine.begin(first)).toEqual({ kind: 'refused' });
      expect((await engine.returnLine(first)).granted).toEqual([dispatched]);
      expect(await engine.call(first)).toMatchObject({
        stage: 'waiting',
        call_status: 'queued',
        granted_at: null,
        waiting_since: new Date(START),
      });
    });

    test('makes the contact pending again when the carrier rejected the call', async () => {
      const owner = await engine.owner();
      const campaignId = await engine.campaign(owner, { contacts: 1 });
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.begin(callId);
      await engine.db('calls').where({ call_id: callId }).update({ stage: 'granted' });
      await engine.set(campaignId, { status: 'paused' });
      await engine.returnLine(callId);
      expect((await engine.contacts(campaignId))[0]?.state).toBe('pending');
      expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 0 });
      expect(await violations(engine)).toEqual([]);
    });

    test.each(['requested', 'placed', 'over'])('keeps the line of a call that is %s', async (stage) => {
      const owner = await engine.owner(1);
      const callId = await engine.dispatch(owner);
      const waiting = await engine.dispatch(owner);
      await engine.begin(callId);
      if (stage !== 'requested') await engine.place(callId);
      if (stage === 'over') await engine.end(callId, 'agent');
      expect((await engine.returnLine(callId)).granted).toEqual([]);
      expect(await engine.stages([callId, waiting])).toEqual([
        stage,
        stage === 'over' ? 'granted' : 'waiting',
      ]);
    });
  });
});
