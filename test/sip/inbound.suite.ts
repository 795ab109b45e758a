/** Callers over the real SIP bridge. */
import { CLOSE_WITHIN_MS, OPEN_WITHIN_MS, SipStage } from './support/stage';

/** Of the bridge's silence, which has no end that could be waited for: it answers a number of ours within one. */
const SILENCE_MS = 5_000;

let stage: SipStage;
beforeAll(async () => {
  stage = await SipStage.open();
}, OPEN_WITHIN_MS);
afterAll(() => stage?.close(), CLOSE_WITHIN_MS);

jest.setTimeout(120_000);

test.concurrent('a caller talks to the agent of the number, who hangs up', async () => {
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
});

test.concurrent('a caller who hangs up has hung up', async () => {
  const number = await stage.answeredNumber();
  const caller = stage.phones.call(number, 201);
  expect(await stage.untilCallerOver(caller)).toMatchObject({ call_status: 'User disconnected' });
  expect(await caller.done).toMatchObject({ code: 0 });
});

test.concurrent(
  'a caller who gives up before the agent answers is cancelled, with the time of it',
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

test.concurrent('a number that is not ours is not answered', async () => {
  const caller = stage.phones.call(stage.phones.number(998), 200, { withinMs: SILENCE_MS });
  expect(await caller.done).toMatchObject({ timedOut: true });
  expect(caller.sip()?.ladder).toMatch(/^INVITE( 100)?( 180)?$/);
  expect((await stage.organization.get('/api/call-history')).body.data).not.toContainEqual(
    expect.objectContaining({ from_number: caller.from }),
  );
});
