import { randomUUID } from 'node:crypto';
import { insertDispatchedSession } from '../../db/calls/dispatched-calls';
import { rows } from '../../db/kernel/query';
import { workflowId, type CallInput, type CallResult } from '../../workflows/contract';
import { sessionRow } from '../db/support/dispatched-row';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine, type DispatchedCall, type Owner } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;

jest.setTimeout(60_000);

describeWith('time-skipping', 'a browser session', () => {
  let engine: TimeSkippingEngine;
  let owner: Owner;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
    owner = await engine.createClient({ maxConcurrency: 1 });
  });

  afterEach(async () => {
    await engine.stop();
  });

  /** Does what the API does for a webrtc dispatch. */
  async function open({ waitLimitMs = 15 * MINUTE_MS } = {}): Promise<DispatchedCall> {
    const callId = `room_${randomUUID()}`;
    const input: CallInput = { callId, ...owner, waitLimitMs };
    await insertDispatchedSession(engine.db, {
      ...sessionRow(owner, callId, await engine.now()),
      session: { voice_gender: 'female' },
    });
    const handle = await engine.env.client.workflow.start('callWorkflow', {
      workflowId: workflowId.call(callId),
      taskQueue: 'voice-agent-platform',
      args: [input],
    });
    return {
      callId,
      result: () => handle.result() as Promise<CallResult>,
      cancel: async () => void (await handle.cancel()),
    };
  }

  const linesTaken = async () => (await rows(engine.db, 'select call_id from lines')).length;

  test('opens a session once, dials nothing, and ends the session when its user leaves', async () => {
    await engine.run(async () => {
      const session = await open();
      await engine.untilDialled(1);
      await engine.ends(session.callId, 'callee');
      await expect(session.result()).resolves.toEqual({ callStatus: 'User disconnected' });
      expect(engine.carrier.sessions).toEqual([session.callId]);
    });
    expect(engine.carrier.asked).toBe(0);
    expect(await linesTaken()).toBe(0);
  });

  test('ends a session that no one joins as no_answer, without a redial or webhook', async () => {
    await engine.run(async () => {
      const session = await open();
      await engine.untilDialled(1);
      await engine.ends(session.callId, 'no_answer');
      await expect(session.result()).resolves.toEqual({ callStatus: 'no answer' });
    });
    expect(engine.carrier.sessions).toHaveLength(1);
    expect(engine.receiver.posts).toEqual([]);
    expect(await rows(engine.db, 'select id from webhook_deliveries')).toEqual([]);
  });

  test("looks up a session at LiveKit at its deadline if its end isn't reported", async () => {
    const started = await engine.now();
    await engine.run(async () => {
      const session = await open();
      await engine.untilDialled(1);
      engine.carrier.letIn(session.callId, session.callId);
      engine.carrier.end(session.callId, { endReason: 'no_answer', endedAt: started + MINUTE_MS });
      await expect(session.result()).resolves.toEqual({ callStatus: 'no answer' });
    });
    // Ten minutes to join, ten minutes of talk time, and the delay that events may have.
    const lasted = (await engine.now()) - started;
    expect(lasted).toBeGreaterThanOrEqual(20 * MINUTE_MS);
    expect(lasted).toBeLessThan(22 * MINUTE_MS);
    expect(await linesTaken()).toBe(0);
  });

  test('waits for a line and gets the next free one', async () => {
    await engine.run(async () => {
      const first = await open();
      await engine.untilDialled(1);
      const second = await open();
      await engine.ends(first.callId, 'callee');
      await first.result();
      await engine.untilDialled(1);
      expect(engine.carrier.sessions).toEqual([first.callId, second.callId]);
      await engine.ends(second.callId, 'agent');
      await expect(second.result()).resolves.toEqual({ callStatus: 'completed' });
    });
  });

  test('expires a session without an agent if no line is free in time', async () => {
    await engine.run(async () => {
      const talking = await open();
      await engine.untilDialled(1);
      const waiting = await open({ waitLimitMs: 2 * MINUTE_MS });
      await expect(waiting.result()).resolves.toEqual({ callStatus: 'expired' });
      expect(engine.carrier.sessions).toEqual([talking.callId]);
      await engine.ends(talking.callId, 'callee');
      await talking.result();
    });
  });

  test('cancels a session whose user leaves while it waits, without requesting an agent', async () => {
    await engine.run(async () => {
      const talking = await open();
      await engine.untilDialled(1);
      const waiting = await open();
      await engine.hangUp(waiting.callId, owner.organizationId);
      await expect(waiting.result()).resolves.toEqual({ callStatus: 'cancelled' });
      expect(engine.carrier.sessions).toEqual([talking.callId]);
      await engine.ends(talking.callId, 'callee');
      await talking.result();
    });
  });

  test('ends a session at LiveKit if it is hung up during the conversation', async () => {
    await engine.run(async () => {
      const session = await open();
      await engine.untilDialled(1);
      engine.carrier.letIn(session.callId, session.callId);
      await engine.hangUp(session.callId, owner.organizationId);
      await expect(session.result()).resolves.toEqual({ callStatus: 'completed' });
      expect(engine.carrier.hungUp).toEqual([session.callId]);
    });
    expect(await linesTaken()).toBe(0);
  });

  test('creates no callback, because there is no number to call', async () => {
    await engine.run(async () => {
      const session = await open();
      await engine.untilDialled(1);
      await engine.db('call_segments').insert({
        call_id: session.callId,
        speaker: 'user',
        text: 'Please call me back in ten minutes.',
        start_ms: 1_000,
        end_ms: 4_000,
      });
      await engine.ends(session.callId, 'callee');
      await session.result();
      const [call] = await rows<any>(engine.db, 'select * from calls');
      expect(call).toMatchObject({ callback_requested: true, callback_id: null, callback_status: null });
    });
    expect(await rows(engine.db, 'select call_id from calls')).toHaveLength(1);
  });
});
