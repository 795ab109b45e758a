import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine, type Owner } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const TO = '+919800000001';

jest.setTimeout(60_000);

describeWith('time-skipping', 'a call that a person hangs up', () => {
  let engine: TimeSkippingEngine;
  let owner: Owner;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
    owner = await engine.createClient({ maxConcurrency: 1 });
  });

  afterEach(async () => {
    await engine.stop();
  });

  const linesTaken = async () => (await rows(engine.db, 'select call_id from lines')).length;
  /** Waits until the hang-up is written to the row. Its response is still waiting for the dial. */
  const hangUpRequested = async (callId: string): Promise<void> => {
    const asked = 'select 1 from calls where call_id = :callId and hang_up_requested_at is not null';
    while ((await rows(engine.db, asked, { callId })).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const talks = (talkMs: number) => engine.carrier.script(TO, [{ endReason: 'agent', talkMs }]);
  const rings = () => engine.carrier.script(TO, [{ endReason: 'rings', talkMs: 0 }]);

  test('cancels a call that waits for a line, without dialling it', async () => {
    talks(MINUTE_MS);
    await engine.run(async () => {
      const first = await engine.dispatch(TO, { owner });
      await engine.untilDialled(1);
      const second = await engine.dispatch('+919800000002', { owner });
      await expect(engine.hangUp(second.callId, owner.organizationId)).resolves.toEqual({
        callId: second.callId,
        callStatus: 'cancelled',
      });
      await expect(second.result()).resolves.toEqual({ callStatus: 'cancelled' });
      await first.result();
    });
    expect(engine.carrier.dials.map(({ to }) => to)).toEqual([TO]);
  });

  test('ends a call immediately during the conversation, and gives its line to the next call', async () => {
    talks(50 * MINUTE_MS);
    await engine.run(async () => {
      const first = await engine.dispatch(TO, { owner });
      await engine.untilDialled(1);
      const second = await engine.dispatch('+919800000002', { owner, waitLimitMs: 20 * MINUTE_MS });
      await expect(engine.hangUp(first.callId, owner.organizationId)).resolves.toMatchObject({
        callStatus: 'dialing',
      });
      await expect(first.result()).resolves.toEqual({ callStatus: 'completed' });
      await expect(second.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    expect(engine.carrier.hungUp).toHaveLength(1);
    expect(await linesTaken()).toBe(0);
  });

  test('ends a ringing call as cancelled', async () => {
    rings();
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await engine.untilDialled(1);
      await engine.hangUp(call.callId, owner.organizationId);
      await expect(call.result()).resolves.toEqual({ callStatus: 'cancelled' });
    });
    expect(await linesTaken()).toBe(0);
  });

  test('hangs up a call during its dial as soon as the carrier has placed it', async () => {
    rings();
    let hangingUp: Promise<unknown> = Promise.resolve();
    engine.carrier.onDial = async ({ reference }) => {
      hangingUp = engine.hangUp(reference, owner.organizationId);
      await hangUpRequested(reference);
    };
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await expect(call.result()).resolves.toEqual({ callStatus: 'cancelled' });
      await hangingUp;
    });
    expect(engine.carrier.hungUp).toHaveLength(1);
  });

  test("doesn't dial again if a call is hung up during a dial that the carrier declines", async () => {
    const asked: string[] = [];
    let hangingUp: Promise<unknown> = Promise.resolve();
    engine.carrier.answerDial = async () => {
      for (const callId of asked) {
        hangingUp = engine.hangUp(callId, owner.organizationId);
        await hangUpRequested(callId);
      }
      return { kind: 'notPlaced', retryAfterMs: null };
    };
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner, start: false });
      asked.push(call.callId);
      await rows(engine.db, `update calls set accepted_at = now() - interval '1 minute'`);
      await engine.reconcile();
      await expect(call.result()).resolves.toEqual({ callStatus: 'cancelled' });
      await hangingUp;
    });
    expect(engine.carrier.asked).toBe(1);
  });

  test('hangs up a call even if the signal was lost', async () => {
    talks(50 * MINUTE_MS);
    engine.loseSignal = (name) => name === 'hangUp';
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await engine.untilDialled(1);
      await engine.hangUp(call.callId, owner.organizationId);
      await rows(engine.db, `update calls set hang_up_requested_at = now() - interval '1 minute'`);
      engine.loseSignal = () => false;
      await engine.reconcile();
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    const [call] = await rows<{ talkedMs: number }>(engine.db, 'select duration_ms as "talkedMs" from calls');
    expect(call?.talkedMs).toBeLessThan(10 * MINUTE_MS);
  });

  test('hangs up a call even if its workflow was terminated', async () => {
    rings();
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await engine.untilDialled(1);
      await engine.env.client.workflow.getHandle(call.callId).terminate('by a test');
      await engine.hangUp(call.callId, owner.organizationId);
      await rows(engine.db, `update calls set hang_up_requested_at = now() - interval '1 minute'`);
      await engine.reconcile();
    });
    expect(engine.carrier.hungUp).toHaveLength(1);
    expect(await linesTaken()).toBe(0);
  });

  test("reports a hung-up call of a campaign as failed, and doesn't dial its contact again", async () => {
    rings();
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [TO],
        maxAttempts: 3,
        perCallWebhookUrl: 'https://receiver.example/hook',
      });
      await engine.untilDialled(1);
      const [dial] = engine.carrier.dials;
      await engine.hangUp(dial?.reference ?? '', campaign.organizationId);
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
    });
    expect(engine.carrier.dials).toHaveLength(1);
    expect(await rows(engine.db, 'select state, reason, attempts from contacts')).toEqual([
      { state: 'cancelled', reason: 'platform', attempts: 1 },
    ]);
    expect(engine.receiver.posts.map(({ body }) => body)).toEqual([
      expect.objectContaining({ event: 'call.failed', call_status: 'cancelled', will_retry: false }),
    ]);
  });
});
