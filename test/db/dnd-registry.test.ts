import {
  registryCheck,
  type RegistryCheckOptions,
  RegistryUnavailable,
  type DndRegistry,
} from '../../activities/dialling/do-not-disturb/registry-check';
import { freshAnswer, storeRegistryAnswer } from '../../db/calls/do-not-disturb';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START } from './support/engine-database';

const NUMBER = '+919876543210';
const HOUR_MS = 3_600_000;
const KEPT_MS = 24 * HOUR_MS;

/** Returns the answers that the test sets, and records the requests. */
class FakeRegistry implements DndRegistry {
  readonly asked: string[] = [];
  answer: (phoneNumber: string) => boolean | Promise<boolean> = () => false;

  async isListed(phoneNumber: string): Promise<boolean> {
    this.asked.push(phoneNumber);
    return this.answer(phoneNumber);
  }
}

const down = () => {
  throw new RegistryUnavailable('status 500');
};

describeWith('postgres', 'the do-not-disturb registry', () => {
  let engine: EngineDatabase;
  let registry: FakeRegistry;
  let warnings: [Record<string, unknown>, string][];
  let elapsed: number;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    await engine.db('dnd_registry_answers').delete();
    registry = new FakeRegistry();
    warnings = [];
    elapsed = 0;
  });

  const worker = (options: Partial<RegistryCheckOptions> = {}) => {
    const check = registryCheck({
      db: engine.db,
      registry,
      log: { warn: (fields, sentence) => warnings.push([fields, sentence]) },
      keptForMs: KEPT_MS,
      whenDown: 'refuse',
      elapsedMs: () => elapsed,
      ...options,
    });
    return (phoneNumber = NUMBER, now = START, callId = 'call-1') =>
      check.verdict({ callId, phoneNumber, now });
  };
  const stored = () =>
    engine.db('dnd_registry_answers').select('phone_number', 'listed').orderBy('phone_number');

  test.each([
    [true, 'listed'],
    [false, 'clear'],
  ])('maps an answer with listed: %s to %s', async (listed, verdict) => {
    registry.answer = () => listed;
    expect(await worker()()).toBe(verdict);
    expect(registry.asked).toEqual([NUMBER]);
  });

  test.each([true, false])(
    'uses a cached answer in all workers until it expires, to the millisecond (%s)',
    async (listed) => {
      registry.answer = () => listed;
      const before = await worker()();
      registry.answer = () => !listed;
      expect(await worker()(NUMBER, START + KEPT_MS - 1)).toBe(before);
      expect(registry.asked).toHaveLength(1);
      expect(await worker()(NUMBER, START + KEPT_MS)).not.toBe(before);
      expect(registry.asked).toHaveLength(2);
    },
  );

  test('uses an answer only for its own number', async () => {
    registry.answer = (phoneNumber) => phoneNumber === NUMBER;
    const verdict = worker();
    expect(await verdict()).toBe('listed');
    expect(await verdict('+919876543211')).toBe('clear');
    expect(await stored()).toEqual([
      { phone_number: NUMBER, listed: true },
      { phone_number: '+919876543211', listed: false },
    ]);
  });

  test('sends one query to the registry for simultaneous calls to one number', async () => {
    registry.answer = () => true;
    const verdict = worker();
    expect(await Promise.all(Array.from({ length: 20 }, () => verdict()))).toEqual(Array(20).fill('listed'));
    expect(registry.asked).toHaveLength(1);
  });

  test('queries the registry again after an earlier request has finished', async () => {
    registry.answer = down;
    const verdict = worker();
    expect(await verdict()).toBe('unavailable');
    registry.answer = () => false;
    expect(await verdict()).toBe('clear');
  });

  test("blocks the call if there is no answer, and doesn't cache the failure", async () => {
    registry.answer = down;
    expect(await worker()()).toBe('unavailable');
    expect(await stored()).toEqual([]);
    expect(warnings).toEqual([
      [{ error: 'status 500', pause_ms: 0 }, 'no usable answer from the do-not-disturb registry'],
    ]);
  });

  test("allows the call without an answer if the operator configured that, and logs the call's id", async () => {
    registry.answer = down;
    expect(await worker({ whenDown: 'dial' })()).toBe('clear');
    expect(await stored()).toEqual([]);
    expect(warnings.at(-1)).toEqual([
      { call_id: 'call-1' },
      'dialled without an answer from the do-not-disturb registry',
    ]);
  });

  test('blocks calls to a listed number even if the operator allows calls without an answer', async () => {
    registry.answer = () => true;
    expect(await worker({ whenDown: 'dial' })()).toBe('listed');
  });

  test('uses cached answers while the registry is down', async () => {
    registry.answer = () => true;
    await worker()();
    registry.answer = down;
    expect(await worker({ whenDown: 'dial' })(NUMBER, START + HOUR_MS)).toBe('listed');
  });

  test('pauses queries for ten seconds after five failures in a row', async () => {
    registry.answer = down;
    const verdict = worker();
    for (let n = 0; n < 5; n++) await verdict(`+91987654320${n}`);
    registry.answer = () => false;
    elapsed = 9_999;
    expect(await verdict()).toBe('unavailable');
    expect(registry.asked).toHaveLength(5);
    elapsed = 10_000;
    expect(await verdict()).toBe('clear');
    expect(warnings.map(([fields]) => fields.pause_ms)).toEqual([0, 0, 0, 0, 10_000]);
  });

  test('uses cached answers during the pause after failures', async () => {
    await storeRegistryAnswer(engine.db, {
      phoneNumber: NUMBER,
      listed: true,
      requestedAt: START,
      keptForMs: KEPT_MS,
    });
    registry.answer = down;
    const verdict = worker();
    for (let n = 0; n < 5; n++) await verdict(`+91987654320${n}`);
    expect(await verdict()).toBe('listed');
  });

  test('continues to query the registry if it answers between failures', async () => {
    const verdict = worker();
    for (let n = 0; n < 9; n++) {
      registry.answer = n === 4 ? () => false : down;
      await verdict(`+91987654320${n}`);
    }
    expect(registry.asked).toHaveLength(9);
  });

  test("passes on errors that the registry didn't cause", async () => {
    registry.answer = () => Promise.reject(new TypeError('ours'));
    await expect(worker({ whenDown: 'dial' })()).rejects.toThrow('ours');
  });

  test('writes no number to the log', async () => {
    registry.answer = down;
    const verdict = worker({ whenDown: 'dial' });
    for (let n = 0; n < 6; n++) await verdict();
    expect(warnings.length).toBeGreaterThan(6);
    expect(JSON.stringify(warnings)).not.toContain('9876543');
  });

  test('keeps the newest answer even if an older one is written last', async () => {
    const keep = (listed: boolean, requestedAt: number) =>
      storeRegistryAnswer(engine.db, { phoneNumber: NUMBER, listed, requestedAt, keptForMs: KEPT_MS });
    await keep(true, START + HOUR_MS);
    await keep(false, START);
    expect(await freshAnswer(engine.db, NUMBER, START)).toBe(true);
    await keep(false, START + 2 * HOUR_MS);
    expect(await freshAnswer(engine.db, NUMBER, START)).toBe(false);
  });

  test('deletes ten expired answers with each new one, and no valid ones', async () => {
    const answered = (count: number, from: number, requestedAt: number) =>
      engine.db('dnd_registry_answers').insert(
        Array.from({ length: count }, (_none, n) => ({
          phone_number: `+9198765${String(from + n).padStart(5, '0')}`,
          listed: false,
          requested_at: new Date(requestedAt),
        })),
      );
    await answered(15, 0, START);
    await answered(3, 100, START + 1);
    const keep = (phoneNumber: string) =>
      storeRegistryAnswer(engine.db, {
        phoneNumber,
        listed: true,
        requestedAt: START + KEPT_MS,
        keptForMs: KEPT_MS,
      });
    // This answer has expired too, and the same statement renews it.
    await keep('+919876500000');
    expect(await stored()).toHaveLength(15 + 3 - 10);
    await keep(NUMBER);
    expect(await stored()).toHaveLength(3 + 2);
    expect(await freshAnswer(engine.db, '+919876500000', START + KEPT_MS - 1)).toBe(true);
  });

  test('keeps all answers of twenty simultaneous writers without a deadlock', async () => {
    await engine.db('dnd_registry_answers').insert(
      Array.from({ length: 200 }, (_none, n) => ({
        phone_number: `+9198000${String(n).padStart(5, '0')}`,
        listed: false,
        requested_at: new Date(START),
      })),
    );
    const numbers = Array.from({ length: 20 }, (_none, n) => `+9198000${String(n).padStart(5, '0')}`);
    await Promise.all(
      numbers.map((phoneNumber) =>
        storeRegistryAnswer(engine.db, {
          phoneNumber,
          listed: true,
          requestedAt: START + KEPT_MS,
          keptForMs: KEPT_MS,
        }),
      ),
    );
    const kept = await Promise.all(numbers.map((n) => freshAnswer(engine.db, n, START)));
    expect(kept).toEqual(numbers.map(() => true));
  });
});
