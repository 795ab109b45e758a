import { randomUUID } from 'node:crypto';
import { loadDelivery, recordAttempt } from '../../db/deliveries';
import { redeliver } from '../../db/redelivery';
import { describeWith } from '../servers/availability';
import { EngineDatabase } from './support/engine-database';

const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;

describeWith('postgres', 'a redelivery', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  async function delivery(status: string, attempts: number) {
    const { clientId } = await engine.owner();
    const [id, eventId] = [randomUUID(), randomUUID()];
    const now = new Date(engine.now);
    await engine.db('webhook_deliveries').insert({
      id,
      event_id: eventId,
      client_id: clientId,
      event: 'campaign.completed',
      url: 'https://example.com/hook',
      body: '{}',
      status: 'pending',
      created_at: now,
    });
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await recordAttempt(engine.db, {
        deliveryId: id,
        attempt,
        at: engine.now,
        statusCode: 500,
        durationMs: 1,
        error: 'status 500',
        status: attempt === attempts ? (status as 'failed') : 'pending',
        nextAttemptAt: null,
      });
    }
    return { id, eventId, clientId };
  }

  const again = (deliveryId: string, clientId: string) =>
    redeliver(engine.db, { deliveryId, clientId, actor, now: engine.now });
  const recordsOf = (id: string): Promise<any[]> => engine.db('audit_log').where({ subject_id: id });

  test.each([
    ['failed', 5],
    ['delivered', 1],
  ])('of one that is %s makes it pending again, with its ledger and its event id', async (status, made) => {
    const { id, eventId, clientId } = await delivery(status, made);
    engine.now += 1_000;
    expect(await again(id, clientId)).toBe('again');
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject({
      status: 'pending',
      eventId,
      attemptsMade: made,
      earlierAttempts: made,
    });
    const row = await engine.db('webhook_deliveries').where({ id }).first();
    expect(row.next_attempt_at).toEqual(new Date(engine.now));
    expect(await recordsOf(id)).toMatchObject([{ action: 'delivery.redeliver', client_id: clientId }]);
  });

  test('of one whose attempts go on changes nothing', async () => {
    const { id, clientId } = await delivery('pending', 2);
    expect(await again(id, clientId)).toBe('pending');
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject({ earlierAttempts: 0 });
    expect(await recordsOf(id)).toEqual([]);
  });

  test('asked for ten times at once is one', async () => {
    const { id, clientId } = await delivery('failed', 5);
    const results = await Promise.all(Array.from({ length: 10 }, () => again(id, clientId)));
    expect(results.filter((result) => result === 'again')).toHaveLength(1);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test("does not find another client's delivery", async () => {
    const { id } = await delivery('failed', 5);
    const stranger = await engine.owner();
    expect(await again(id, stranger.clientId)).toBe('unknown');
    expect(await again(randomUUID(), stranger.clientId)).toBe('unknown');
    expect(await loadDelivery(engine.db, id, engine.now)).toMatchObject({ status: 'failed' });
  });
});
