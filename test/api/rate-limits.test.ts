/** Rate limits over HTTP, within one minute of real time, and the limiter alone, used by two processes. */
import { campaignForm, countOf, newAgent, withFile } from './support/rows';
import {
  openTestApi,
  type Answer,
  type Asked,
  type TestApi,
  type TestOrganization,
} from './support/test-api';
import { randomUUID } from 'node:crypto';
import { isDatabaseUnreachable } from '../../db/kernel/database-unreachable';
import {
  limitsOf,
  rateLimits,
  type LimitedOrganization,
  type RateLimits,
  RequestSlots,
} from '../../api/http/limits';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { describeWith } from '../servers/availability';
import { createTestDatabase, type TestDatabase } from '../servers/database';

let api: TestApi;
let organization: TestOrganization;

beforeAll(async () => {
  api = await openTestApi({ settings: { rateLimits: { dispatchPerMinute: 2, otherPerMinute: 3 } } });
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = await api.newOrganization();
});

const ask = (path: string, asked: Asked = {}): Promise<Answer> =>
  api.ask(path, { as: organization, ...asked });
const read = (): Promise<Answer> => ask('/api/agents');
const dispatch = (json: object = {}): Promise<Answer> => ask('/api/trigger-call/', { json });

async function statuses(count: number, request: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await request()).status);
  return found;
}

test('returns 429 with Retry-After for the first request beyond the limit', async () => {
  expect(await statuses(3, read)).toEqual([200, 200, 200]);
  const { status, body, headers } = await read();
  expect(status).toBe(429);
  expect(body).toEqual({ detail: { code: 'RATE_LIMITED', message: expect.any(String) } });
  expect(headers.get('Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/);
});

test('reports the remaining requests in every response', async () => {
  const { headers } = await read();
  expect(headers.get('RateLimit-Limit')).toBe('3');
  expect(headers.get('RateLimit-Remaining')).toBe('2');
  expect(headers.get('RateLimit-Reset')).toMatch(/^\d+$/);
});

test('counts dispatches separately from other requests, including rejected dispatches', async () => {
  expect(await statuses(3, dispatch)).toEqual([422, 422, 429]);
  expect(await statuses(4, read)).toEqual([200, 200, 200, 429]);
});

test('rejects a dispatch in the error shape of dispatch, and places no call', async () => {
  const agentId = await newAgent(api, { as: organization });
  const before = await countOf(api, 'calls');
  const call = { agent_id: agentId, contact_number: '+919876543210', name: 'Asha' };
  await dispatch(call);
  await dispatch(call);
  const { status, body } = await dispatch(call);
  expect([status, body.success, body.error]).toEqual([429, false, 'RATE_LIMITED']);
  expect(await countOf(api, 'calls')).toBe(before + 2);
});

test('rejects a campaign in the error shape of create, and stores no file', async () => {
  await statuses(3, read);
  const { status, body, headers } = await ask('/api/campaigns/create', {
    body: withFile(campaignForm('nobody')),
  });
  expect([status, body.status_code, body.error, body.code]).toEqual([
    429,
    429,
    'Too Many Requests',
    'RATE_LIMITED',
  ]);
  expect(headers.get('Retry-After')).toMatch(/^\d+$/);
  expect(await api.storedFiles()).toEqual([]);
});

test("checks the limit before the body's type, size and fields", async () => {
  await statuses(2, dispatch);
  const wrongType = await ask('/api/trigger-call/', { body: 'x', headers: { 'Content-Type': 'text/plain' } });
  const tooLarge = await dispatch({ name: 'x'.repeat(20 * 1024 * 1024) });
  expect([wrongType.status, tooLarge.status]).toEqual([429, 429]);
});

test("doesn't count requests with a wrong key or to an unknown path", async () => {
  const nobody = { ...organization, key: `${organization.key}x` };
  expect(await statuses(5, () => ask('/api/agents', { as: nobody }))).toEqual([401, 401, 401, 401, 401]);
  expect(await statuses(5, () => ask('/api/nothing'))).toEqual([404, 404, 404, 404, 404]);
  expect(await statuses(4, read)).toEqual([200, 200, 200, 429]);
});

test("doesn't limit one organization when another reaches its limit", async () => {
  await statuses(4, read);
  expect((await ask('/api/agents', { as: await api.newOrganization() })).status).toBe(200);
});

test('admits exactly the limit among thirty concurrent requests', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, read));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(27);
});

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

  test('admits the full limit again after the window, even after many rejections', async () => {
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

describe("an organization's request slots", () => {
  const limits = { perOwner: 2, maxMs: 250 };

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Records the name once it has a slot. */
  async function entering(
    slots: RequestSlots,
    organization: string | undefined,
    entered: string[],
    name: string,
  ) {
    const release = await slots.enter(organization);
    entered.push(name);
    return release;
  }

  test('handles two requests of each organization at once', async () => {
    const slots = new RequestSlots(limits);
    const entered: string[] = [];
    const first = await entering(slots, 'a', entered, 'a1');
    await entering(slots, 'a', entered, 'a2');
    const third = entering(slots, 'a', entered, 'a3');
    await entering(slots, 'b', entered, 'b1');
    await entering(slots, undefined, entered, 'carrier');
    expect(entered).toEqual(['a1', 'a2', 'b1', 'carrier']);
    first();
    await third;
    expect(entered.at(-1)).toBe('a3');
  });

  test('gives the slot of a request that takes too long to the next one', async () => {
    const slots = new RequestSlots(limits);
    const entered: string[] = [];
    const slow = await entering(slots, 'a', entered, 'slow');
    await entering(slots, 'a', entered, 'slower');
    const waiting = [entering(slots, 'a', entered, 'a3'), entering(slots, 'a', entered, 'a4')];
    const last = entering(slots, 'a', entered, 'a5');
    await jest.advanceTimersByTimeAsync(limits.maxMs);
    const [third] = await Promise.all(waiting);
    // This slot was already given away.
    slow();
    expect(entered).toEqual(['slow', 'slower', 'a3', 'a4']);
    third?.();
    await last;
  });

  test('returns 503 to a request that has waited for eight seconds', async () => {
    const slots = new RequestSlots({ perOwner: 1, maxMs: 60_000 });
    await slots.enter('a');
    const refused = expect(slots.enter('a')).rejects.toMatchObject({ status: 503 });
    await jest.advanceTimersByTimeAsync(8_000);
    await refused;
  });
});
