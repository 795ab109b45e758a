/** Blocks the statements of one organization while others use the database. */
import { openDatabase } from '../../db/kernel/connection';
import { Admission } from '../../api/calls/live-captions/handshake';
import { openTestApi, type TestApi } from './support/test-api';

jest.setTimeout(60_000);

const CARRIER_SECRET = 'a-secret-of-the-carrier';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ connections: 5, carrierSecret: CARRIER_SECRET });
});
afterAll(() => api.close());

test("serves other organizations, carriers and health checks while one organization's requests wait", async () => {
  const locking = openDatabase({ url: api.databaseUrl, poolSize: 2, applicationName: 'test' });
  const lock = await locking.transaction();
  await lock.raw('lock table agents in access exclusive mode');
  const perOwner = Array.from({ length: 40 }, () => api.ask('/api/agents'));
  const waiting = async (): Promise<number> => {
    const { rows } = await locking.raw(
      `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows[0].count;
  };
  while ((await waiting()) < 2);
  const { status } = await api.ask('/api/limits', { as: api.stranger });
  const health = await api.ask('/readyz', { as: null });
  const event = await api.ask('/api/carrier/events', {
    as: null,
    headers: { Authorization: `Bearer ${CARRIER_SECRET}` },
    json: { type: 'ringing', reference: 'outbound-1-none', at: new Date(api.clock.time).toISOString() },
  });
  expect([status, health.status, event.status < 500]).toEqual([200, 200, true]);
  expect(await waiting()).toBe(2);
  await lock.rollback();
  await Promise.all(perOwner);
  expect((await api.ask('/api/agents')).status).toBe(200);
  await locking.destroy();
});

describe('listeners to live captions', () => {
  const limits = { perCall: 100, perProcess: 8, entering: 8, perCallAndMinute: 100 };

  test("rejects listeners beyond their organization's share, and admits another organization's", async () => {
    const admission = new Admission(limits);
    const first = await admission.enter('a');
    await admission.enter('a');
    await expect(admission.enter('a')).rejects.toMatchObject({ status: 503 });
    await admission.enter('b');
    first.left();
    first.entered();
    await admission.enter('a');
  });

  test('alternates between organizations when it admits waiting listeners', async () => {
    const admission = new Admission({ ...limits, perProcess: 80, entering: 1 });
    const entered: string[] = [];
    const enter = async (organization: string) => {
      const { entered: end } = await admission.enter(organization);
      entered.push(organization);
      end();
    };
    const first = await admission.enter('a');
    const all = [enter('a'), enter('a'), enter('b')];
    first.entered();
    await Promise.all(all);
    expect(entered).toEqual(['a', 'b', 'a']);
  });
});
