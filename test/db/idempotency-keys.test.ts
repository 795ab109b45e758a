import { randomBytes, randomUUID } from 'node:crypto';
import {
  freeKey,
  LEASE_MS,
  reserveKey,
  storeAnswer,
  type KeyRequest,
  type KeyState,
  type Reservation,
} from '../../db/organizations/idempotency-keys';
import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START } from './support/engine-database';

const DAY_MS = 24 * 60 * 60 * 1000;
const SAME = randomBytes(32);
const OTHER = randomBytes(32);
const ANSWER = Buffer.from('the answer');

describeWith('postgres', 'an idempotency key', () => {
  let engine: EngineDatabase;
  let organizationId: string;
  let key: string;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
    ({ organizationId } = await engine.owner());
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    key = randomUUID();
    await engine.db('idempotency_keys').delete();
  });

  const reserve = (request: Partial<KeyRequest> = {}): Promise<KeyState> =>
    reserveKey(engine.db, {
      organizationId,
      key,
      fingerprint: SAME,
      subjectId: randomUUID(),
      now: START,
      ...request,
    });
  const reserved = async (request: Partial<KeyRequest> = {}): Promise<Reservation> => {
    const state = await reserve(request);
    if (state.kind !== 'reserved') throw new Error(`not reserved: ${state.kind}`);
    return state.reservation;
  };
  const kindsOf = async (states: Promise<KeyState>[]): Promise<string[]> =>
    (await Promise.all(states)).map(({ kind }) => kind).sort();
  const atOnce = (request: Partial<KeyRequest> = {}): Promise<string[]> =>
    kindsOf(Array.from({ length: 20 }, () => reserve(request)));
  const oneOf20 = [...Array.from({ length: 19 }, () => 'in_progress'), 'reserved'];

  test('reserves a new key for the id of its request', async () => {
    expect(await reserve({ subjectId: 'call-1' })).toEqual({
      kind: 'reserved',
      reservation: {
        organizationId,
        key,
        subjectId: 'call-1',
        leasedUntil: START + LEASE_MS,
        isTakenOver: false,
      },
    });
  });

  test('reserves a key for only one of twenty simultaneous requests', async () => {
    expect(await atOnce()).toEqual(oneOf20);
  });

  test('reports a key as in progress until its lease ends, to the millisecond', async () => {
    const { subjectId } = await reserved();
    expect(await reserve({ now: START + LEASE_MS - 1 })).toEqual({ kind: 'in_progress' });
    expect(await reserve({ now: START + LEASE_MS })).toMatchObject({
      kind: 'reserved',
      reservation: { subjectId, isTakenOver: true, leasedUntil: START + 2 * LEASE_MS },
    });
  });

  test('lets only one of twenty simultaneous requests take over a key after its lease', async () => {
    await reserved();
    expect(await atOnce({ now: START + LEASE_MS })).toEqual(oneOf20);
  });

  test.each([
    ['while the first runs', START],
    ['when the first was left', START + LEASE_MS],
  ])('rejects a key that was used for a different request %s', async (_when, now) => {
    const { subjectId } = await reserved();
    expect(await reserve({ fingerprint: OTHER, now })).toEqual({ kind: 'other_request' });
    expect(await reserve({ now: START + LEASE_MS })).toMatchObject({ reservation: { subjectId } });
  });

  test('returns the stored response to the same request for a day, and rejects a different request', async () => {
    const reservation = await reserved();
    await storeAnswer(engine.db, reservation, ANSWER, START);
    const last = START + DAY_MS - 1;
    expect(await reserve({ now: last })).toEqual({
      kind: 'answered',
      subjectId: reservation.subjectId,
      answer: ANSWER,
    });
    expect(await reserve({ now: last, fingerprint: OTHER })).toEqual({ kind: 'other_request' });
  });

  test('treats a key as new after a day, and gives it to one of twenty concurrent requests', async () => {
    const { subjectId, ...reservation } = await reserved();
    await storeAnswer(engine.db, { ...reservation, subjectId }, ANSWER, START);
    const again = { now: START + DAY_MS, fingerprint: OTHER, subjectId: 'call-2' };
    expect(await atOnce(again)).toEqual(oneOf20);
    const now = START + DAY_MS + LEASE_MS;
    const left = await reserved({ ...again, now });
    expect(left.subjectId).toBe('call-2');
    await storeAnswer(engine.db, left, ANSWER, now);
    expect(await reserve({ ...again, now: START + 2 * DAY_MS - 1 })).toMatchObject({ kind: 'answered' });
    expect(await reserve({ ...again, now: START + 2 * DAY_MS })).toMatchObject({ kind: 'reserved' });
  });

  test('keeps the keys of organizations independent', async () => {
    await reserved();
    const { organizationId: stranger } = await engine.owner();
    expect(await reserve({ organizationId: stranger, fingerprint: OTHER })).toMatchObject({
      kind: 'reserved',
    });
  });

  test('accepts any request with a key that was freed', async () => {
    await freeKey(engine.db, await reserved(), START);
    expect(await reserve({ fingerprint: OTHER, subjectId: 'call-2' })).toMatchObject({
      reservation: { subjectId: 'call-2', isTakenOver: false },
    });
  });

  test('keeps a key that was taken over when the earlier request frees it', async () => {
    const left = await reserved();
    const now = START + LEASE_MS;
    await reserved({ now });
    await freeKey(engine.db, left, now);
    expect(await reserve({ now })).toEqual({ kind: 'in_progress' });
  });

  test('keeps the id when the request that took over the key frees it', async () => {
    const { subjectId } = await reserved();
    const now = START + LEASE_MS;
    await freeKey(engine.db, await reserved({ now }), now);
    expect(await reserve({ now, fingerprint: OTHER })).toEqual({ kind: 'other_request' });
    expect(await reserve({ now })).toMatchObject({ reservation: { subjectId, isTakenOver: true } });
  });

  test('stores the response of a request whose reservation was taken over, because it used the same id', async () => {
    const left = await reserved();
    await reserved({ now: START + LEASE_MS });
    await storeAnswer(engine.db, left, ANSWER, START + LEASE_MS);
    expect(await reserve({ now: START + LEASE_MS })).toMatchObject({ kind: 'answered', answer: ANSWER });
  });

  test('keeps the first response stored for a key', async () => {
    const reservation = await reserved();
    await storeAnswer(engine.db, reservation, ANSWER, START);
    await storeAnswer(engine.db, reservation, Buffer.from('another'), START);
    expect(await reserve()).toMatchObject({ answer: ANSWER });
  });

  describe('deletion of expired keys when a response is stored', () => {
    const keys = async (): Promise<string[]> =>
      (await rows<{ key: string }>(engine.db, 'select key from idempotency_keys order by key')).map(
        (row) => row.key,
      );

    test('deletes expired keys, oldest first, and keeps a key with an hour left', async () => {
      for (let index = 0; index < 12; index++) {
        await reserved({ key: `old-${String(index).padStart(2, '0')}`, now: START + index });
      }
      await reserved({ key: 'young', now: START + 60 * 60 * 1000 });
      const now = START + DAY_MS + LEASE_MS;
      const store = async () => storeAnswer(engine.db, await reserved({ key: 'this', now }), ANSWER, now);
      await store();
      expect(await keys()).toEqual(['old-10', 'old-11', 'this', 'young']);
      await storeAnswer(engine.db, await reserved({ key: 'next', now }), ANSWER, now);
      expect(await keys()).toEqual(['next', 'this', 'young']);
    });

    test('deletes expired keys in twenty concurrent requests without a deadlock', async () => {
      await Promise.all(Array.from({ length: 40 }, (_, index) => reserved({ key: `old-${index}` })));
      const now = START + DAY_MS + LEASE_MS;
      // Each request reuses one of the old keys while others delete them.
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) =>
          storeAnswer(engine.db, await reserved({ key: `old-${index}`, now }), ANSWER, now),
        ),
      );
      const left = await keys();
      expect(left).toHaveLength(20);
      expect(left).toEqual(Array.from({ length: 20 }, (_, index) => `old-${index}`).sort());
    });
  });
});
