import {
  releaseSlot,
  removeIdleSlots,
  MAX_AT_ONCE,
  type ReceiverSlot,
} from '../../db/webhooks/receiver-slots';
import { onlyRow, timestamp } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';

const ORGANIZATION = '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a11';
const OTHER = '0d1f7c1e-6a57-4c52-8f0b-3d1c7e0f9a12';
const LEASE_MS = 10_000;

describeWith('postgres', 'the slots of a receiver', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());
  beforeEach(() => engine.db.raw('truncate receiver_slots'));

  async function take(
    url = 'https://r.example/hook',
    organizationId = ORGANIZATION,
  ): Promise<ReceiverSlot | null> {
    const until = engine.now + LEASE_MS;
    const { id } = await onlyRow<{ id: number | null }>(
      engine.db,
      'select take_receiver_slot(:organizationId::uuid, :url, :now, :until, :max) as id',
      { organizationId, url, now: timestamp(engine.now), until: timestamp(until), max: MAX_AT_ONCE },
    );
    return id === null ? null : { id, until };
  }
  const takeMany = async (count: number): Promise<ReceiverSlot[]> =>
    (await Promise.all(Array.from({ length: count }, () => take()))).filter((slot) => slot !== null);

  test('gives each slot to only one of several simultaneous workers, and leaves none unused', async () => {
    const first = await takeMany(3 * MAX_AT_ONCE);
    expect(new Set(first.map(({ id }) => id)).size).toBe(MAX_AT_ONCE);
    expect(first).toHaveLength(MAX_AT_ONCE);
    await Promise.all(first.slice(0, 7).map((slot) => releaseSlot(engine.db, slot, engine.now)));
    const second = await takeMany(3 * MAX_AT_ONCE);
    // A slot that another worker locks at this instant may be skipped, but no slot is taken twice.
    expect(new Set(second.map(({ id }) => id)).size).toBe(second.length);
    expect(second.length).toBeLessThanOrEqual(7);
    while ((await take()) !== null);
    engine.now += LEASE_MS;
    expect(await take()).not.toBeNull();
  });

  test('counts slots by organization, scheme, host and port, ignoring path, password and case', async () => {
    await takeMany(MAX_AT_ONCE);
    while ((await take()) !== null);
    for (const url of [
      'https://R.example/other?x=1',
      'https://user:secret@r.example/hook',
      'HTTPS://r.example#a',
    ]) {
      expect(await take(url)).toBeNull();
    }
    for (const url of ['http://r.example/', 'https://r.example:8443/', 'https://r2.example', 'no address']) {
      expect(await take(url)).not.toBeNull();
    }
    expect(await take('https://r.example/hook', OTHER)).not.toBeNull();
    const kept: { receiver: string }[] = await engine.db('receiver_slots').select('receiver');
    expect(kept.filter(({ receiver }) => receiver.includes('secret'))).toEqual([]);
  });

  test('ignores the release of an expired slot by its previous holder', async () => {
    const first = await takeMany(MAX_AT_ONCE);
    while ((await take()) !== null);
    engine.now += LEASE_MS;
    const second = await takeMany(MAX_AT_ONCE);
    while ((await take()) !== null);
    expect(second.length).toBeGreaterThan(0);
    await Promise.all(first.map((slot) => releaseSlot(engine.db, slot, engine.now)));
    expect(await take()).toBeNull();
  });

  test('deletes slots a day after the last request', async () => {
    await take();
    await removeIdleSlots(engine.db, engine.now + LEASE_MS + 86_400_000);
    expect(await engine.db('receiver_slots')).toHaveLength(1);
    await removeIdleSlots(engine.db, engine.now + LEASE_MS + 86_400_001);
    expect(await engine.db('receiver_slots')).toEqual([]);
  });
});
