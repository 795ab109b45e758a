import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { redeliverWebhook } from '../../api/webhooks/redeliver';
import { TemporalUnavailable } from '../../api/http/errors/api-error';
import { rows } from '../../db/kernel/query';
import { TASK_QUEUE, workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine } from './support/time-skipping-engine';

const URL = 'https://receiver.example/hook';
/** Shorter than the gaps between the delays of the contract. */
const MAX_LATE_S = 15;

jest.setTimeout(60_000);

describeWith('time-skipping', 'a webhook delivery', () => {
  let engine: TimeSkippingEngine;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
  });

  afterEach(async () => {
    await engine.stop();
  });

  async function deliver(): Promise<{ id: string; eventId: string; organizationId: string }> {
    const { organizationId } = await engine.createClient();
    const [id, eventId] = [randomUUID(), randomUUID()];
    const now = new Date();
    await engine.db('webhook_deliveries').insert({
      id,
      event_id: eventId,
      organization_id: organizationId,
      event: 'campaign.completed',
      url: URL,
      body: JSON.stringify({ event_id: eventId }),
      created_at: now,
      next_attempt_at: now,
    });
    await made(id);
    return { id, eventId, organizationId };
  }

  const made = (id: string): Promise<void> =>
    engine.env.client.workflow.execute('deliveryWorkflow', {
      workflowId: workflowId.delivery(id),
      taskQueue: TASK_QUEUE,
      args: [{ deliveryId: id }],
    });

  /** Does what the API does for a redelivery. `start` replaces Temporal. */
  const askAgain = (
    { id, organizationId }: { id: string; organizationId: string },
    start: () => Promise<void>,
  ) =>
    redeliverWebhook(
      {
        db: engine.db,
        clock: { now: () => Date.now() },
        log: pino({ enabled: false }),
        temporal: { startDelivery: start },
      },
      { deliveryId: id, organizationId, actor: { kind: 'api_key', id: 'test', requestId: null } },
    );

  const statusOf = async (id: string) => {
    const [row] = await rows<{ status: string; attempts: number }>(
      engine.db,
      `select status, (select count(*) from webhook_attempts where delivery_id = :id) as attempts
       from webhook_deliveries where id = :id`,
      { id },
    );
    return row;
  };

  /** Attempts must not be early. They can be late by the time that a busy machine needs for a step. */
  function expectDelays(...seconds: number[]): void {
    const times = engine.receiver.posts.map(({ at }) => at);
    const late = seconds.map((delay, nth) => (times[nth + 1]! - times[nth]!) / 1000 - delay);
    expect(times).toHaveLength(seconds.length + 1);
    for (const each of late) {
      expect(each).toBeGreaterThanOrEqual(0);
      expect(each).toBeLessThan(MAX_LATE_S);
    }
  }

  test('sends a webhook once and without delay if the receiver accepts it', async () => {
    const { id } = await engine.run(deliver);
    expect(engine.receiver.posts).toHaveLength(1);
    await expect(statusOf(id)).resolves.toEqual({ status: 'delivered', attempts: 1 });
  });

  test("retries with the contract's delays while the receiver is down for four attempts", async () => {
    engine.receiver.answer = (_url, nth) => (nth <= 4 ? 503 : 200);
    const { id, eventId } = await engine.run(deliver);
    expectDelays(5, 25, 125, 625);
    await expect(statusOf(id)).resolves.toEqual({ status: 'delivered', attempts: 5 });
    expect(engine.receiver.posts.map(({ headers }) => headers['X-Service-Delivery-Attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(new Set(engine.receiver.posts.map(({ headers }) => headers['X-Service-Event-Id']))).toEqual(
      new Set([eventId]),
    );
  });

  test('marks a delivery as failed after the fifth rejection, and stops retrying', async () => {
    engine.receiver.answer = () => 500;
    const { id } = await engine.run(deliver);
    expect(engine.receiver.posts).toHaveLength(5);
    await expect(statusOf(id)).resolves.toEqual({ status: 'failed', attempts: 5 });
  });

  test('starts a new round with the same delays and event id when a delivery is redelivered', async () => {
    engine.receiver.answer = () => 500;
    await engine.run(async () => {
      const delivery = await deliver();
      engine.receiver.posts.length = 0;
      await askAgain(delivery, () => made(delivery.id));
      await expect(statusOf(delivery.id)).resolves.toEqual({ status: 'failed', attempts: 10 });
      const headers = engine.receiver.posts.map((post) => post.headers);
      expect(headers.map((each) => each['X-Service-Event-Id'])).toEqual(Array(5).fill(delivery.eventId));
      expect(headers.map((each) => each['X-Service-Delivery-Attempt'])).toEqual(['6', '7', '8', '9', '10']);
    });
    expectDelays(5, 25, 125, 625);
  });

  test('sends a webhook through reconciliation if it is redelivered while Temporal is unreachable', async () => {
    await engine.run(async () => {
      const delivery = await deliver();
      await askAgain(delivery, () => Promise.reject(new TemporalUnavailable(new Error('unreachable'))));
      await rows(engine.db, `update webhook_deliveries set next_attempt_at = now() - interval '1 hour'`);
      await engine.reconcile();
      await engine.env.client.workflow.getHandle(workflowId.delivery(delivery.id)).result();
      await expect(statusOf(delivery.id)).resolves.toEqual({ status: 'delivered', attempts: 2 });
    });
  });
});
