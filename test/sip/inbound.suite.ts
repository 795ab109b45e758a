/** Tests inbound calls over the real SIP bridge. */
import { STOP_TIMEOUT_MS, START_TIMEOUT_MS, SipStage } from './support/stage';

/** How long the bridge must stay silent. It answers calls to our numbers within a second. */
const SILENCE_MS = 5_000;

let stage: SipStage;
beforeAll(async () => {
  stage = await SipStage.open();
}, START_TIMEOUT_MS);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

jest.setTimeout(120_000);

test.concurrent(
  'connects a caller to the agent of the dialled number, and lets the agent hang up',
  async () => {
    const number = await stage.answeredNumber();
    const caller = stage.phones.call(number, 200);
    expect(await stage.untilCallerOver(caller)).toMatchObject({
      direction: 'Incoming',
      call_status: 'completed',
      to_number: number,
      user_picked_up_at: expect.any(String),
    });
    expect(await caller.done).toMatchObject({ code: 0 });
    expect(caller.sip()?.ladder).toMatch(/^INVITE (100 |180 )+200 ACK BYE 200$/);
  },
);

test.concurrent('reports that the caller hung up', async () => {
  const number = await stage.answeredNumber();
  const caller = stage.phones.call(number, 201);
  expect(await stage.untilCallerOver(caller)).toMatchObject({ call_status: 'User disconnected' });
  expect(await caller.done).toMatchObject({ code: 0 });
});

test.concurrent(
  'records a call as cancelled, with the right time, when the caller gives up before the agent answers',
  async () => {
    const number = await stage.answeredNumber();
    const caller = stage.phones.call(number, 202);
    expect(await caller.done).toMatchObject({ code: 0 });
    expect(caller.sip()?.ladder).toMatch(/^INVITE (100 |180 )+CANCEL (200 487|487 200|200 180 487) ACK$/);
    const call = await stage.untilCallerOver(caller);
    expect(call).toMatchObject({ direction: 'Incoming', call_status: 'cancelled', call_cost: 0 });
    const lateMs = Date.parse(call.End_time) - caller.sip()!.endedAt!.getTime();
    expect(Math.abs(lateMs)).toBeLessThan(2_000);
  },
);

test.concurrent('does not answer a call to a number that is not ours', async () => {
  const caller = stage.phones.call(stage.phones.number(998), 200, { withinMs: SILENCE_MS });
  expect(await caller.done).toMatchObject({ timedOut: true });
  expect(caller.sip()?.ladder).toMatch(/^INVITE( 100)?( 180)?$/);
  expect((await stage.organization.get('/api/call-history')).body.data).not.toContainEqual(
    expect.objectContaining({ from_number: caller.from }),
  );
});
