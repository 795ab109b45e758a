import { callState } from '../../db/calls/engine';
import { rows } from '../../db/kernel/query';
import type { CallResult } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { valueOf } from '../servers/scrape';
import { TimeSkippingEngine, type DispatchedCall } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const TO = '+919800000001';

jest.setTimeout(60_000);

describeWith('time-skipping', 'a dispatched call', () => {
  let engine: TimeSkippingEngine;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
  });

  afterEach(async () => {
    await engine.stop();
  });

  const linesTaken = async () => (await rows(engine.db, 'select call_id from lines')).length;

  test.each([
    ['agent', 'completed'],
    ['callee', 'User disconnected'],
    ['dropped', 'error'],
    ['no_answer', 'no answer'],
    ['busy', 'busy'],
    ['rejected', 'rejected'],
    ['invalid_number', 'failed'],
    ['carrier_failure', 'failed'],
  ] as const)('records a call that ends with %s as %s, and frees its line', async (endReason, callStatus) => {
    engine.carrier.script(TO, [{ endReason, talkMs: 30_000 }]);
    await engine.run(async () => {
      const call = await engine.dispatch(TO);
      await expect(call.result()).resolves.toEqual<CallResult>({ callStatus });
      await expect(callState(engine.db, call.callId)).resolves.toMatchObject({ stage: 'over', callStatus });
    });
    await expect(linesTaken()).resolves.toBe(0);
  });

  test('waits for a line, and expires if none becomes free in time', async () => {
    engine.carrier.script(TO, [{ endReason: 'agent', talkMs: 9 * MINUTE_MS }]);
    await engine.run(async () => {
      const owner = await engine.createClient({ maxConcurrency: 1 });
      const first = await engine.dispatch(TO, { owner });
      await engine.untilDialled(1);
      const second = await engine.dispatch('+919800000002', { owner, waitLimitMs: 5 * MINUTE_MS });
      const third = await engine.dispatch('+919800000003', { owner, waitLimitMs: 15 * MINUTE_MS });
      await expect(first.result()).resolves.toEqual({ callStatus: 'completed' });
      await expect(second.result()).resolves.toEqual({ callStatus: 'expired' });
      await expect(third.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    expect(engine.carrier.dials.map(({ to }) => to)).toEqual([TO, '+919800000003']);
  });

  test("looks up a call at the carrier at its deadline if its end isn't reported", async () => {
    engine.carrier.script(TO, [{ endReason: 'never_reported', talkMs: MINUTE_MS }]);
    await engine.run(async () => {
      const call = await engine.dispatch(TO);
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    await expect(linesTaken()).resolves.toBe(0);
  });

  test('ends a call as lost at its deadline if the carrier has lost it, and frees its line', async () => {
    engine.carrier.script(TO, [{ endReason: 'lost', talkMs: MINUTE_MS }]);
    await engine.run(async () => {
      const call = await engine.dispatch(TO);
      await expect(call.result()).resolves.toEqual({ callStatus: 'error' });
    });
    await expect(linesTaken()).resolves.toBe(0);
    const counted = await engine.registry.metrics();
    expect(valueOf(counted, 'voice_agent_calls_ended_total', { end_reason: 'lost' })).toBe(1);
  });

  test('cancels a waiting call without dialling it if an operator cancels its workflow', async () => {
    await engine.run(async () => {
      const owner = await engine.createClient({ maxConcurrency: 1 });
      const first = await engine.dispatch(TO, { owner });
      await engine.untilDialled(1);
      const second = await engine.dispatch('+919800000002', { owner });
      await second.cancel();
      await expect(second.result()).resolves.toEqual({ callStatus: 'cancelled' });
      await first.result();
    });
    expect(engine.carrier.dials.map(({ to }) => to)).toEqual([TO]);
  });

  test('hangs up a call if an operator cancels its workflow during the conversation', async () => {
    await engine.run(async () => {
      const started: DispatchedCall[] = [];
      engine.carrier.onDial = async () => started[0]?.cancel();
      const call = await engine.dispatch(TO);
      started.push(call);
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    await expect(linesTaken()).resolves.toBe(0);
    expect(engine.carrier.hungUp).toHaveLength(1);
  });

  test('dials again within the same attempt after a 503, and fails the call after a minute', async () => {
    engine.carrier.answerDial = () => ({ kind: 'notPlaced', retryAfterMs: null });
    const started = await engine.now();
    await engine.run(async () => {
      const call = await engine.dispatch(TO);
      await expect(call.result()).resolves.toEqual({ callStatus: 'failed' });
    });
    const lasted = (await engine.now()) - started;
    expect(lasted).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(lasted).toBeLessThan(2 * MINUTE_MS);
    expect(engine.carrier.asked).toBeGreaterThanOrEqual(4);
  });

  test('ends a call with status error if its request is rejected, without a redial', async () => {
    engine.carrier.answerDial = () => ({ kind: 'refused', faults: '["to"]' });
    await engine.run(async () => {
      const call = await engine.dispatch(TO);
      await expect(call.result()).resolves.toEqual({ callStatus: 'error' });
    });
    expect(engine.carrier.asked).toBe(1);
  });
});
