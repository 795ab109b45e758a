import type { Db } from '../../db/kernel/connection';
import { rows } from '../../db/kernel/query';
import { SharedClock } from '../../db/kernel/shared-clock';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';

const MINUTE_MS = 60_000;

describeWith('postgres', 'the shared clock of all processes', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  afterEach(() => jest.restoreAllMocks());

  const postgresNow = async (): Promise<number> => {
    const [row] = await rows<{ now: Date }>(engine.db, 'select clock_timestamp() as now');
    return row?.now.getTime() ?? 0;
  };

  test.each([
    ['ahead', 10 * MINUTE_MS],
    ['behind', -10 * MINUTE_MS],
    ['years off', -3 * 365 * 24 * 60 * MINUTE_MS],
  ])("returns Postgres' time if the machine's clock is %s", async (_name, offMs) => {
    const real = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => real() + offMs);
    const clock = new SharedClock(engine.db);
    await clock.start();
    clock.stop();
    expect(Math.abs(clock.now() - (await postgresNow()))).toBeLessThan(MINUTE_MS);
  });

  test("doesn't jump when the machine's clock is set", async () => {
    const clock = new SharedClock(engine.db);
    await clock.start();
    clock.stop();
    const real = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => real() + 10 * MINUTE_MS);
    expect(Math.abs(clock.now() - (await postgresNow()))).toBeLessThan(MINUTE_MS);
  });
});

describe('a reading of the shared clock', () => {
  const NOON = Date.parse('2026-11-02T12:00:00.000Z');
  /** Postgres' clock minus the test's elapsed time. */
  let offset: number;
  let tripMs: number;
  /** Point in the request at which Postgres reads its clock, from 0 (start) to 1 (end). */
  let readAt: number;
  let isUnreachable: boolean;
  let returns: number;
  let reads: number;
  let clock: SharedClock;

  const db = {
    raw: async () => {
      reads++;
      await new Promise((resolve) => setTimeout(resolve, tripMs * readAt));
      const now = performance.now() + offset;
      await new Promise((resolve) => setTimeout(resolve, tripMs * (1 - readAt)));
      if (isUnreachable) throw new Error('connect ECONNREFUSED');
      return { rows: [{ now }] };
    },
  } as unknown as Db;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOON });
    offset = NOON - performance.now();
    [tripMs, readAt, isUnreachable, returns, reads] = [10, 0.5, false, 0, 0];
    clock = new SharedClock(db, () => void returns++);
  });
  afterEach(() => {
    clock.stop();
    jest.useRealTimers();
  });

  /** Returns how far the clock is ahead of Postgres. */
  const ahead = () => clock.now() - Math.round(performance.now() + offset);
  async function start(): Promise<void> {
    void clock.start();
    await jest.advanceTimersByTimeAsync(tripMs);
  }
  const next = (ms = 1_000 + tripMs) => jest.advanceTimersByTimeAsync(ms);

  test('returns the time with an error no larger than the duration of the reading', async () => {
    offset += 10 * MINUTE_MS;
    await start();
    expect(Math.abs(ahead())).toBeLessThanOrEqual(10);
  });

  test("follows Postgres' clock within a second after that clock is set", async () => {
    await start();
    for (const shift of [5 * MINUTE_MS, -7 * MINUTE_MS]) {
      offset += shift;
      await next();
      expect(Math.abs(ahead())).toBeLessThanOrEqual(10);
    }
  });

  test('ignores a reading that is slow on either half of the round trip', async () => {
    await start();
    const before = ahead();
    for (readAt of [0, 0.5, 1]) {
      tripMs = 8_000;
      await next();
      expect(ahead()).toBe(before);
    }
  });

  test('reads the clock once a second, one reading at a time', async () => {
    await start();
    await jest.advanceTimersByTimeAsync(10_100);
    expect(reads).toBe(11);
    tripMs = 30_000;
    await jest.advanceTimersByTimeAsync(20_000);
    expect(reads).toBe(12);
  });

  test('keeps running after a failed reading, and calls onReturn once at the next success', async () => {
    await start();
    isUnreachable = true;
    await next(5_000);
    expect([Math.abs(ahead()) <= 10, returns]).toEqual([true, 0]);
    isUnreachable = false;
    await next(5_000);
    expect(returns).toBe(1);
  });

  test('starts even if the first reading fails', async () => {
    isUnreachable = true;
    await start();
    expect(clock.now()).toBe(Date.now());
    isUnreachable = false;
    await next(2_000);
    expect(returns).toBe(1);
  });

  test('makes no further readings after stop(), even if one is in progress', async () => {
    tripMs = 500;
    void clock.start();
    clock.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(1);
  });
});
