/** Tests that reconciliation repairs any number of campaigns and organizations, and checks only suspect ones. */
import { ROUTINE } from '../../activities/reconciliation/pass';
import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';
import { makePass } from './support/make-pass';

describeWith('postgres', 'reconciliation with many campaigns', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let described: string[];
  let started: string[];
  let signalled: string[];
  let stateOf: (id: string) => 'running' | 'closed' | 'missing';
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    await engine.db.raw('truncate organizations, webhook_deliveries, webhook_attempts cascade');
    owner = await engine.owner();
    described = [];
    started = [];
    signalled = [];
    stateOf = () => 'running';
  });

  const deps = (): any => ({
    db: engine.db,
    signals: {
      getHandle: (id: string) => ({ signal: () => Promise.resolve(void signalled.push(id)) }),
    },
    log: { info: () => undefined, warn: () => undefined },
    settings: { ruleProfile: null },
    clock: () => engine.now,
    startedAt: engine.now,
    lateness: ROUTINE,
    hasTime: () => true,
    workflows: {
      state: (id: string) => {
        described.push(id);
        return Promise.resolve(stateOf(id));
      },
      startOnce: (_type: string, id: string) => Promise.resolve(void started.push(id)),
    },
  });

  /** Creates campaigns whose next check is due in an hour. */
  async function openCampaigns(count: number): Promise<string[]> {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    await engine.set(campaignId, { check_at: new Date(START + 60 * MINUTE_MS) });
    const columns = await engine
      .db('information_schema.columns')
      .where({ table_name: 'campaigns', is_generated: 'NEVER' })
      .whereNot({ column_name: 'id' })
      .pluck('column_name');
    await engine.db.raw(
      `insert into campaigns (id, ${columns.join(', ')}) select gen_random_uuid(), ${columns.join(', ')}
       from campaigns, generate_series(2, ?)`,
      [count],
    );
    return engine.db('campaigns').orderBy('id').pluck('id');
  }

  test('starts each of 1,500 campaigns whose workflow is missing, and checks each of them once', async () => {
    const campaignIds = await openCampaigns(1_500);
    engine.now = START + 61 * MINUTE_MS;
    stateOf = () => 'missing';
    await makePass('repairCampaigns', deps());
    expect(described).toEqual(campaignIds.map(workflowId.campaign));
    expect(started).toEqual(described);
  });

  test('checks only the suspect ones among 1,500 campaigns', async () => {
    const campaignIds = await openCampaigns(1_500);
    const [late = '', unanswered = ''] = [campaignIds[1_400], campaignIds[700]];
    await engine.set(late, { check_at: new Date(START - 1) });
    await engine.set(unanswered, { refill_requested_at: new Date(START - MINUTE_MS) });
    await makePass('repairCampaigns', deps());
    expect(described).toEqual([unanswered, late].map(workflowId.campaign));
    await makePass('repairCampaigns', deps());
    // A campaign that turns out to be running isn't checked again for a while. A campaign that ignored a wake-up is checked until it
    // reacts.
    expect(described.slice(2)).toEqual([workflowId.campaign(unanswered)]);
  });

  test('wakes a silent campaign within its window, but no paused campaign and none outside its window', async () => {
    const [open = '', paused = '', resting = ''] = await openCampaigns(3);
    await engine.db('campaigns').update({ check_at: new Date(START - 1) });
    await engine.set(paused, { status: 'paused' });
    await engine.set(resting, { status: 'scheduled', from_date: '2030-01-01', to_date: '2030-01-31' });
    await makePass('repairCampaigns', deps());
    expect(described).toHaveLength(3);
    expect(signalled).toEqual([workflowId.campaign(open)]);
  });

  test("ends a terminated campaign among 1,500 even if another one can't be checked", async () => {
    const campaignIds = await openCampaigns(1_500);
    await engine.db('campaigns').update({ check_at: new Date(START - 1) });
    const [unknown, terminated = ''] = [campaignIds[3], campaignIds[1_499]];
    stateOf = (id) => {
      if (id === workflowId.campaign(unknown ?? '')) throw new Error('Temporal is not responding');
      return id === workflowId.campaign(terminated) ? 'closed' : 'running';
    };
    const failing = {
      ...deps(),
      workflows: { ...deps().workflows, state: (id: string) => Promise.resolve(id).then(stateOf) },
    };
    await expect(makePass('repairCampaigns', failing)).rejects.toThrow('1 could not be repaired');
    expect(await engine.campaignRow(terminated)).toMatchObject({ status: 'cancelled' });
    stateOf = () => 'running';
    await makePass('repairCampaigns', deps());
    expect(described).toEqual([workflowId.campaign(unknown ?? '')]);
  });

  test('signals each of 1,500 campaigns that did not react to a wake-up', async () => {
    const campaignIds = await openCampaigns(1_500);
    await engine.db('campaigns').update({ refill_requested_at: new Date(START - MINUTE_MS) });
    await makePass('repairRefills', deps());
    expect(signalled).toEqual(campaignIds.map(workflowId.campaign));
  });

  test('grants the idle line of each of 500 organizations, and skips 50 whose lines are all in use', async () => {
    await engine.db.raw(
      `insert into organizations select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
       from organizations c, generate_series(2, 550)`,
    );
    const organizationIds: string[] = await engine.db('organizations').orderBy('id').pluck('id');
    await engine.db('organizations').update({ max_concurrency: 1 });
    for (const organizationId of [...organizationIds, ...organizationIds])
      await engine.dispatch({ ...owner, organizationId });
    await engine.db('organizations').whereIn('id', organizationIds.slice(50)).update({ max_concurrency: 2 });
    await makePass('repairFreeLines', deps());
    const holding: string[] = await engine.db('lines').orderBy('organization_id').pluck('organization_id');
    expect(holding).toEqual([...organizationIds, ...organizationIds.slice(50)].sort());
    expect(signalled).toHaveLength(500);
    await makePass('repairFreeLines', deps());
    expect(signalled).toHaveLength(500);
    expect(described).toEqual([]);
  });
});
