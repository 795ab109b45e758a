import { KEY, TwirpFault } from '../activities/support/fake-livekit';
import { issueApiKey } from '../../db/organizations/api-keys';
import { StorageUnavailable } from '../../runtime/storage/file-storage';
import { describeWith } from '../servers/availability';
import { FakeMedia } from './support/conversation';
import { newAgent, newCall } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';
import { sharedCheck } from '../../api/http/health';

const MINUTE_MS = 60_000;

const found = (status: string, reason: string | null = null, since: string | null = null) => ({
  status,
  reason,
  since,
});

describeWith('postgres', 'GET /api/health', () => {
  let media: FakeMedia;
  let api: TestApi;
  let agentId: string;

  beforeAll(async () => {
    media = await FakeMedia.open();
    api = await openTestApi({ settings: { livekit: media.settings } });
    agentId = await newAgent(api);
  });
  beforeEach(() => {
    // Move past the results that the previous test left in the cache.
    api.clock.time += MINUTE_MS;
    api.temporal.workersSeen = api.clock.time;
  });
  afterEach(() => {
    jest.restoreAllMocks();
    media.server.faults.clear();
    api.temporal.unreachable = false;
  });
  afterAll(async () => {
    await api.close();
    await media.close();
  });

  async function parts(as = api.organization): Promise<Record<string, unknown>> {
    const { status, body } = await api.ask('/api/health', { as });
    expect(status).toBe(200);
    return Object.fromEntries(
      body.parts.map(({ part, ...rest }: { part: string }): [string, unknown] => [part, rest]),
    );
  }

  async function endDials(endReason: string, count: number, row: Record<string, unknown> = {}) {
    for (let n = 0; n < count; n += 1) {
      api.clock.time += 1_000;
      const now = new Date(api.clock.time);
      await newCall(api, {
        agent_id: agentId,
        stage: 'over',
        call_status: endReason === 'carrier_failure' ? 'error' : 'completed',
        end_reason: endReason,
        requested_at: now,
        ended_at: now,
        ...row,
      });
    }
  }

  test("reports components that work, and omits those that it can't check", async () => {
    expect(await parts()).toEqual({
      database: found('up'),
      temporal: found('up'),
      workers: found('up'),
      storage: found('up'),
      livekit: found('up'),
    });
  });

  test('requires the scope read', async () => {
    const { organization } = api;
    const reader = await issueApiKey(api.db, organization.id, { scopes: ['read'] });
    expect(Object.keys(await parts({ ...organization, key: reader.key }))).toContain('temporal');
    const operator = await issueApiKey(api.db, organization.id, { scopes: ['operate'] });
    expect((await api.ask('/api/health', { as: { ...organization, key: operator.key } })).status).toBe(403);
    expect((await api.ask('/api/health', { as: null })).status).toBe(401);
  });

  test("reports that Temporal doesn't respond, and omits the workers", async () => {
    api.temporal.unreachable = true;
    const { temporal, workers, database } = await parts();
    expect([temporal, workers, database]).toEqual([found('down', 'no_answer'), undefined, found('up')]);
  });

  test('reports when a worker last polled, as long as Temporal remembers it', async () => {
    api.temporal.workersSeen = api.clock.time - 90_000;
    expect((await parts()).workers).toEqual(found('up'));
    api.clock.time += MINUTE_MS;
    const since = new Date(api.temporal.workersSeen).toISOString();
    expect((await parts()).workers).toEqual(found('degraded', 'not_seen', since));
    api.clock.time += MINUTE_MS;
    api.temporal.workersSeen = null;
    expect((await parts()).workers).toEqual(found('down', 'not_seen'));
  });

  test.each([
    ['does not answer', new Error('connect ECONNREFUSED 10.0.0.7:9000'), 'no_answer'],
    [
      'rejects our credentials',
      Object.assign(new Error('Forbidden'), { $metadata: { httpStatusCode: 403 } }),
      'refused',
    ],
    ['is overloaded', Object.assign(new Error('Slow'), { $metadata: { httpStatusCode: 429 } }), 'no_answer'],
  ])('reports that the storage %s, without its address', async (_title, cause, reason) => {
    jest.spyOn(api.storage, 'check').mockRejectedValue(new StorageUnavailable(cause));
    const { body, text } = await api.ask('/api/health');
    expect(body.parts).toContainEqual({ part: 'storage', ...found('down', reason) });
    expect(text).not.toContain(cause.message);
  });

  test('gives up on a component that never responds, and aborts its request', async () => {
    let given: AbortSignal | undefined;
    jest.spyOn(api.storage, 'check').mockImplementation((signal) => {
      given = signal;
      return new Promise(() => undefined);
    });
    const { storage, database } = await parts();
    expect([storage, database]).toEqual([found('down', 'no_answer'), found('up')]);
    expect(given?.aborted).toBe(true);
  });

  test.each([
    ['does not answer', new TwirpFault('internal', 'redis at 10.0.0.8 is away'), 'no_answer'],
    ['rejects our key', new TwirpFault('unauthenticated', KEY.apiKey, {}, 401), 'refused'],
  ])('reports that LiveKit %s, without the message', async (_title, fault, reason) => {
    media.server.faults.set('ListRooms', fault);
    const { body, text } = await api.ask('/api/health');
    expect(body.parts).toContainEqual({ part: 'livekit', ...found('down', reason) });
    expect(text).not.toContain(fault.msg);
  });

  test('reports a read-only database', async () => {
    const standby = await openTestApi({
      databaseUrl: (real) => `${real}?options=-c%20default_transaction_read_only%3Don`,
    });
    const { body } = await standby.ask('/api/health');
    await standby.close();
    expect(body.parts).toContainEqual({ part: 'database', ...found('degraded', 'read_only') });
  });

  test('checks the components once for concurrent requests, and again after a few seconds', async () => {
    const [check, checkStorage] = [jest.spyOn(api.temporal, 'check'), jest.spyOn(api.storage, 'check')];
    await Promise.all([...Array.from({ length: 10 }, () => parts()), parts(api.stranger)]);
    expect([check.mock.calls.length, checkStorage.mock.calls.length]).toEqual([1, 1]);
    api.clock.time += 5_000;
    await parts();
    expect([check.mock.calls.length, checkStorage.mock.calls.length]).toEqual([2, 2]);
  });

  describe('the state of the carrier', () => {
    // Move past the dials of the previous test.
    beforeEach(() => (api.clock.time += 16 * MINUTE_MS));

    test('omits the carrier if fewer than three dials reached it', async () => {
      await endDials('carrier_failure', 2);
      await endDials('cancelled', 5);
      await endDials('carrier_failure', 5, { medium: 'webrtc' });
      await endDials('carrier_failure', 5, { requested_at: null });
      expect((await parts()).carrier).toBeUndefined();
    });

    test('reports the carrier as down if every dial fails, degraded if half of them do, and up otherwise', async () => {
      await endDials('carrier_failure', 1);
      const since = new Date(api.clock.time).toISOString();
      await endDials('carrier_unavailable', 2);
      expect((await parts()).carrier).toEqual(found('down', 'dials_fail', since));
      await endDials('no_answer', 3);
      expect((await parts()).carrier).toEqual(found('degraded', 'dials_fail', since));
      await endDials('busy', 1);
      expect((await parts()).carrier).toEqual(found('up'));
    });

    test('ignores failures older than a quarter of an hour', async () => {
      await endDials('carrier_failure', 4);
      expect((await parts()).carrier).toMatchObject({ status: 'down' });
      api.clock.time += 15 * MINUTE_MS;
      expect((await parts()).carrier).toBeUndefined();
    });

    test("ignores another organization's dials", async () => {
      await endDials('carrier_failure', 4);
      expect((await parts(api.stranger)).carrier).toBeUndefined();
    });
  });
});

test("omits LiveKit if it isn't configured", async () => {
  const api = await openTestApi();
  const { body } = await api.ask('/api/health');
  await api.close();
  expect(body.parts.map(({ part }: { part: string }) => part)).toEqual([
    'database',
    'temporal',
    'workers',
    'storage',
  ]);
});

function rig(keptMs: number) {
  const clock = { at: 0 };
  const finish: (() => void)[] = [];
  const look = sharedCheck(
    () => {
      const nth = finish.length + 1;
      return new Promise<number>((resolve, reject) => {
        finish.push(() => (nth === 2 ? reject(new Error('unreachable')) : resolve(nth)));
      });
    },
    { keptMs, now: () => clock.at },
  );
  return { clock, finish, look };
}

describe('a shared check', () => {
  test('returns one result to two hundred concurrent callers', async () => {
    const { finish, look } = rig(1_000);
    const answers = Array.from({ length: 200 }, look);
    finish[0]?.();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([1]));
    expect(finish).toHaveLength(1);
  });

  test('returns a result, even a failure, to later callers until it is too old', async () => {
    const { clock, finish, look } = rig(1_000);
    void look();
    finish[0]?.();
    clock.at = 999;
    expect(await look()).toBe(1);
    clock.at = 1_000;
    const failed = look();
    finish[1]?.();
    await expect(failed).rejects.toThrow('unreachable');
    clock.at = 1_999;
    await expect(look()).rejects.toThrow('unreachable');
    expect(finish).toHaveLength(2);
  });

  test('shares a check while it runs, even beyond the time that a result is kept', () => {
    const { clock, finish, look } = rig(0);
    void look();
    clock.at = 60_000;
    void look();
    expect(finish).toHaveLength(1);
  });

  test("runs again for later callers when results aren't cached", async () => {
    const { finish, look } = rig(0);
    void look();
    finish[0]?.();
    await new Promise(setImmediate);
    void look().catch(() => undefined);
    expect(finish).toHaveLength(2);
  });
});
