/** Runs everything except migrations and notifications through a PgBouncer in transaction mode. */
import { openDatabase } from '../../db/kernel/connection';
import { rows } from '../../db/kernel/query';
import { EngineDatabase } from '../db/support/engine-database';
import { violations } from '../db/support/invariants';
import { describeWith } from '../servers/availability';
import { createTestDatabase, type TestDatabase } from '../servers/database';
import { databaseUsers, startPgbouncer, type Pgbouncer } from '../servers/pgbouncer';
import { environmentFor, startBuilt } from './support/started-process';

const LENT_CONNECTIONS = 2;
const POOL = { poolSize: 10, timeoutMs: 20_000, applicationName: 'test' };

describeWith('pgbouncer', 'a connection pooler in front of the database', () => {
  let database: TestDatabase;
  let pgbouncer: Pgbouncer;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });
  // Use a new PgBouncer for each test, because a server connection keeps the name of its last client.
  beforeEach(async () => {
    pgbouncer = await startPgbouncer(database.url, LENT_CONNECTIONS);
  });
  afterEach(() => pgbouncer.close());

  test('runs a campaign with concurrent calls over fewer connections than there are waiting queries', async () => {
    const db = openDatabase({ url: pgbouncer.url, isPooled: true, ...POOL });
    const engine = EngineDatabase.over(db, database.url);
    const owner = await engine.owner(10);
    const campaignId = await engine.campaign(owner, { contacts: 40, concurrency: 10 });
    const course = async (callId: string): Promise<void> => {
      await engine.dial(callId);
      const decision = await engine.end(callId, 'agent');
      if (decision?.refillCampaignId != null)
        decision.granted.push(...(await engine.feed(owner, campaignId)).granted);
      await Promise.all((decision?.granted ?? []).map(course));
    };
    await Promise.all((await engine.feed(owner, campaignId)).granted.map(course));
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 40, failed: 0 });
    expect(await violations(engine)).toEqual([]);
    const direct = openDatabase({ url: database.url, ...POOL });
    const { lentConnections } = await databaseUsers(direct);
    await direct.destroy();
    expect(lentConnections).toBeLessThanOrEqual(LENT_CONNECTIONS);
    await db.destroy();
  });

  test('rejects a pooler configured as a direct connection, because direct connections set session parameters', async () => {
    const db = openDatabase({ url: pgbouncer.url, ...POOL });
    await expect(rows(db, 'select 1')).rejects.toThrow('unsupported startup parameter: statement_timeout');
    await db.destroy();
  });

  test('serves the API, which listens for notifications on a direct connection', async () => {
    const environment = { ...environmentFor(database.url), DATABASE_POOLED_URL: pgbouncer.url };
    const api = startBuilt('main.js', [], environment);
    const url = `http://127.0.0.1:${await api.port()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const direct = openDatabase({ url: database.url, ...POOL });
    const { direct: names, pooled, lentConnections } = await databaseUsers(direct);
    await direct.destroy();
    api.child.kill();
    await api.end;
    expect([names, pooled]).toEqual([['api captions'], ['api']]);
    expect(lentConnections).toBeLessThanOrEqual(LENT_CONNECTIONS);
  });
});
