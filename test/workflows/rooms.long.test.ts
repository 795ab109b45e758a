import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine, type Owner } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const TO = '+919800000001';

jest.setTimeout(60_000);

describeWith('time-skipping', 'a call that needs a ready agent before its phone may ring', () => {
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

  test('dials the call once an agent is available', async () => {
    let tries = 0;
    engine.carrier.prepareCall = () => {
      tries += 1;
      return Promise.resolve({ kind: tries === 3 ? 'ready' : 'unavailable' });
    };
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    expect([tries, engine.carrier.dials.length]).toEqual([3, 1]);
  });

  test('dials the call once its agent is ready, without blocking the workflow task in the meantime', async () => {
    const looks: boolean[] = [];
    engine.carrier.prepareCall = (_reference, isBrief) => {
      looks.push(isBrief);
      return Promise.resolve({ kind: isBrief ? 'notYet' : 'ready' });
    };
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    expect([looks, engine.carrier.dials.length]).toEqual([[true, false], 1]);
  });

  test('waits again until an agent is ready if all agents are busy, and dials once', async () => {
    const waits = ['noAgent', 'noAgent', 'ready'] as const;
    let waited = 0;
    engine.carrier.prepareCall = (_reference, isBrief) =>
      Promise.resolve({ kind: isBrief ? 'notYet' : (waits[waited++] ?? 'ready') });
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    expect([waited, engine.carrier.dials.length]).toEqual([3, 1]);
  });

  test('fails the call without dialling and frees the line if the room cannot be prepared for a minute', async () => {
    engine.carrier.prepareCall = (_reference, isBrief) =>
      Promise.resolve({ kind: isBrief ? 'notYet' : 'unavailable' });
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await expect(call.result()).resolves.toEqual({ callStatus: 'failed' });
    });
    expect([engine.carrier.dials, await linesTaken()]).toEqual([[], 0]);
  });

  test('fails the call without dialling and frees the line after a minute without an agent', async () => {
    engine.carrier.prepareCall = () => Promise.resolve({ kind: 'unavailable' });
    const callId = await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await expect(call.result()).resolves.toEqual({ callStatus: 'failed' });
      return call.callId;
    });
    expect(engine.carrier.dials).toEqual([]);
    expect(await linesTaken()).toBe(0);
    // Uses the times in the row, because the server's clock may jump once nothing runs.
    const { accepted_at: acceptedAt, ended_at: endedAt } = await engine
      .db('calls')
      .where({ call_id: callId })
      .first();
    expect(endedAt - acceptedAt).toBeLessThan(2 * MINUTE_MS);
  });

  test('ends the call at the first look-up past its deadline if the carrier has forgotten it', async () => {
    engine.carrier.goneMeansOver = true;
    engine.carrier.script(TO, [{ endReason: 'lost', talkMs: 0 }]);
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner });
      await expect(call.result()).resolves.toEqual({ callStatus: 'failed' });
    });
    expect(await linesTaken()).toBe(0);
  });
});
