import { openDatabase } from '../../db/kernel/connection';
import { auditPage } from '../../db/organizations/audit';
import { listAgents } from '../../db/agents/agents';
import { listCalls } from '../../db/calls/history';
import { listContacts } from '../../db/campaigns/contacts';
import { keptTotal } from '../../db/kernel/list-page';
import { onlyRow, rows } from '../../db/kernel/query';
import { CONTACTS_CAMPAIGN, SEEDED_AGENT, SEEDED_CAMPAIGN, seedLists } from '../../verify/bench/lists/seed';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';

const SIZES = { calls: 400, agents: 25, campaigns: 60, contacts: 30, deliveries: 120, audit: 150 };

describeWith('postgres', "the benchmark's lists", () => {
  let engine: EngineDatabase;
  beforeEach(async () => {
    engine = await EngineDatabase.open(1);
  });
  afterEach(() => engine.close());

  const schema = () =>
    rows(
      engine.db,
      `select indexdef as what from pg_indexes where schemaname = 'public'
       union all select conname::text || ' of ' || conrelid::regclass::text from pg_constraint
       union all select tgname::text || tgenabled::text from pg_trigger where not tgisinternal order by 1`,
    );

  test('creates lists of the requested sizes, with totals as in production, and leaves the schema unchanged', async () => {
    const db = openDatabase({ url: engine.url, poolSize: 1, timeoutMs: 20_000, applicationName: 'bench' });
    const { organizationId } = await engine.owner();
    await rows(engine.db, 'delete from agent_versions; delete from agent_configs; delete from agents');
    const before = await schema();
    await seedLists(db, organizationId, SIZES).finally(() => db.destroy());
    expect(await schema()).toEqual(before);

    const page = { limit: 5, offset: 0 };
    expect(await keptTotal(engine.db, organizationId, 'calls')).toBe(400);
    expect(await keptTotal(engine.db, organizationId, 'campaigns')).toBe(60);
    expect(await keptTotal(engine.db, organizationId, 'webhook_deliveries')).toBe(120);
    expect((await auditPage(engine.db, { organizationId, action: 'call.dispatch' }, page)).total).toBe(149);
    expect((await listAgents(engine.db, { organizationId, publishedOnly: true }, page)).total).toBe(25);
    expect((await listContacts(engine.db, { campaignId: CONTACTS_CAMPAIGN }, page)).total).toBe(30);
    expect((await listCalls(engine.db, { organizationId, agentId: SEEDED_AGENT }, page)).total).toBe(20);
    expect((await listCalls(engine.db, { organizationId, campaignId: SEEDED_CAMPAIGN }, page)).total).toBe(8);
    const { said } = await onlyRow<{ said: number }>(
      engine.db,
      'select count(distinct call_id) as said from call_segments',
    );
    expect(said).toBe(20);
  });
});
