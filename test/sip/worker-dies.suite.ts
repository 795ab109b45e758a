/** Kills the worker while phones ring. The bridge continues without it, and each new worker looks up all calls at once. */
import { eventually } from '../stack/support/eventually';
import { STOP_TIMEOUT_MS, START_TIMEOUT_MS, SipStage, SOON_MS } from './support/stage';

/** Long enough to start the worker twice and to look up a silent call. */
const RING_TIMEOUT_S = 45;
const END_TIMEOUT_MS = 2 * SOON_MS;

let stage: SipStage;
beforeAll(async () => {
  stage = await SipStage.open({ environment: { RING_TIMEOUT_S: String(RING_TIMEOUT_S) } });
}, START_TIMEOUT_MS);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

/**
 * Waits for the end of the call. Returns the call and every `line_kept_until` that the API returned for it, which is set for a lost phone.
 */
async function course(callId: string): Promise<{ over: any; kept: unknown[] }> {
  const kept: unknown[] = [];
  const over = await eventually(END_TIMEOUT_MS, async () => {
    const call = await stage.call(callId);
    if (call.line_kept_until !== null) kept.push(call.line_kept_until);
    expect(call).toMatchObject({ End_time: expect.any(String) });
    return call;
  });
  return { over, kept };
}

test(
  'records the ends of calls that ring while the worker is killed twice',
  async () => {
    const ringing = await stage.dispatch(180);
    await stage.untilPhone(ringing.number, 'rings', ({ ladder }) => ladder.endsWith('180'));
    const answering = await stage.dispatch(206);
    await stage.untilPhone(answering.number, 'rings', ({ ladder }) => ladder.endsWith('180'));
    const { worker } = stage.platform.stack;
    for (const _death of [1, 2]) {
      await worker.kill();
      await worker.start();
    }
    const [rang, answered] = await Promise.all([course(ringing.callId), course(answering.callId)]);
    expect(rang).toMatchObject({ over: { call_status: 'no answer' }, kept: [] });
    expect(answered).toMatchObject({ over: { call_status: 'completed' }, kept: [] });
    expect((await stage.untilHungUp(ringing.number)).ladder).toMatch(/^INVITE 100 180 CANCEL/);
  },
  END_TIMEOUT_MS + 2 * SOON_MS,
);
