/** The limiter itself, used by two processes. rate-limits.test.ts covers it over HTTP. */
import { randomUUID } from 'node:crypto';
import { isDatabaseUnreachable } from '../../db/kernel/database-unreachable';
import { limitsOf, rateLimits, type LimitedOrganization, type RateLimits } from '../../api/http/limits';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { describeWith } from '../servers/availability';
import { createTestDatabase, type TestDatabase } from '../servers/database';

const SETTINGS = { dispatchPerMinute: 2, otherPerMinute: 3 };
const OFF = { dispatchPerMinute: 0, otherPerMinute: 0 };
const REFUSED = expect.objectContaining({ status: 429, code: 'RATE_LIMITED' });

describeWith('postgres', 'the rate limiter', () => {
  let database: TestDatabase;
  let db: Db;
  let otherProcess: Db;
  let limits: RateLimits;
  let organization: LimitedOrganization;

  beforeAll(async () => {
    database = await createTestDatabase();
    const open = () => openDatabase({ url: database.url, timeoutMs: 20_000, applicationName: 'test' });
    [db, otherProcess] = [open(), open()];
  });
  afterAll(async () => {
    await Promise.all([db.destroy(), otherProcess.destroy()]);
    await database.drop();
  });
  beforeEach(() => {
    limits = rateLimits({ db, settings: SETTINGS });
    organization = { id: randomUUID() };
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const pointsOf = async (kind: string): Promise<number> =>
    (
      await db('rate_limit_windows')
        .where({ key: `${kind}:${organization.id}` })
        .first('points')
    ).points;
  const admitted = async (asked: Promise<unknown>[]): Promise<number> => {
    const outcomes = await Promise.allSettled(asked);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(REFUSED);
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };
  const times = (count: number, ask: () => Promise<unknown>) => Array.from({ length: count }, ask);

  test('admits requests up to the limit and reports what remains', async () => {
    for (const remaining of ['2', '1', '0']) {
      expect(await limits.admit(organization, 'other')).toEqual({
        'RateLimit-Limit': '3',
        'RateLimit-Remaining': remaining,
        'RateLimit-Reset': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
      });
    }
    await expect(limits.admit(organization, 'other')).rejects.toEqual(REFUSED);
  });

  test('reports the time to retry in whole seconds, at least one', async () => {
    const startedAt = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => startedAt);
    await admitted(times(3, () => limits.admit(organization, 'other')));
    const retryAfter = async (ms: number): Promise<unknown> => {
      jest.spyOn(Date, 'now').mockImplementation(() => startedAt + ms);
      const error = await limits.admit(organization, 'other').catch((thrown: unknown) => thrown);
      return (error as any).headers['Retry-After'];
    };
    expect([await retryAfter(0), await retryAfter(1), await retryAfter(1001)]).toEqual(['60', '60', '59']);
    expect(await retryAfter(59_999)).toBe('1');
  });

  test('counts dispatches, other requests and organizations separately', async () => {
    await admitted(times(5, () => limits.admit(organization, 'dispatch')));
    expect(await admitted(times(5, () => limits.admit(organization, 'other')))).toBe(3);
    const stranger = { id: randomUUID() };
    expect(await admitted(times(5, () => limits.admit(stranger, 'dispatch')))).toBe(2);
  });

  test('admits exactly the limit among sixty concurrent requests in two processes', async () => {
    const settings = { dispatchPerMinute: 7, otherPerMinute: 7 };
    const two = [rateLimits({ db, settings }), rateLimits({ db: otherProcess, settings })];
    const asked = two.flatMap((each) => times(30, () => each.admit(organization, 'dispatch')));
    expect(await admitted(asked)).toBe(7);
  });

  test('admits the limit again after the window, however many requests it rejected', async () => {
    const startedAt = Date.now();
    const at = (ms: number) => jest.spyOn(Date, 'now').mockImplementation(() => startedAt + ms);
    at(0);
    await admitted(times(30, () => limits.admit(organization, 'other')));
    at(59_000);
    await expect(limits.admit(organization, 'other')).rejects.toEqual(REFUSED);
    at(60_001);
    expect(await admitted(times(5, () => limits.admit(organization, 'other')))).toBe(3);
  });

  test('stops querying Postgres once the limit is reached', async () => {
    for (let index = 0; index < 3; index++) await limits.admit(organization, 'other');
    expect(await admitted(times(50, () => limits.admit(organization, 'other')))).toBe(0);
    expect(await pointsOf('other')).toBe(3);
  });

  test("applies an organization's own limits, and their changes immediately", async () => {
    const own = (otherPerMinute: number | null) => ({
      ...organization,
      rateLimits: { dispatchPerMinute: null, otherPerMinute },
    });
    const admittedWith = (limit: number | null) =>
      admitted(times(5, () => limits.admit(own(limit), 'other')));
    expect(await admittedWith(1)).toBe(1);
    expect(await admittedWith(0)).toBe(5);
    expect(await admitted(times(5, () => limits.admit(own(1), 'dispatch')))).toBe(2);
    organization = { id: randomUUID() };
    for (let index = 0; index < 3; index++) await limits.admit(organization, 'other');
    expect(await admittedWith(null)).toBe(0);
    expect(await admittedWith(5)).toBe(2);
    expect(await admittedWith(2)).toBe(0);
  });

  describe('while Postgres is unreachable', () => {
    let unreachable: Db;
    beforeAll(() => {
      unreachable = openDatabase({ url: 'postgres://user@127.0.0.1:1/none', applicationName: 'test' });
    });
    afterAll(() => unreachable.destroy());

    test("fails with the database's error", async () => {
      const error = await rateLimits({ db: unreachable, settings: SETTINGS })
        .admit(organization, 'other')
        .catch((thrown: unknown) => thrown);
      expect(isDatabaseUnreachable(error)).toBe(true);
    });

    test("admits requests without a limit, because they aren't counted", async () => {
      const unlimited = rateLimits({ db: unreachable, settings: OFF });
      expect(await unlimited.admit(organization, 'dispatch')).toEqual({});
      expect(await unlimited.admit(organization, 'other')).toEqual({});
    });
  });
});

test("prefers an organization's own limit to the setting, even if it is 0", () => {
  const organization = { id: 'a', rateLimits: { dispatchPerMinute: 0, otherPerMinute: null } };
  expect(limitsOf(organization, SETTINGS)).toEqual({ dispatchPerMinute: 0, otherPerMinute: 3 });
  expect(limitsOf({ id: 'a' }, SETTINGS)).toEqual(SETTINGS);
});
