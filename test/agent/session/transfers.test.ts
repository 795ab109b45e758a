/** Tests transfers. The platform decides whether a call can be transferred. */
import { callControlsFor } from '../../../agent/session/voice/call-controls';
import { PlatformApi } from '../../../agent/platform/platform-api';
import { SessionState } from '../../../agent/session/state/session-state';
import { callContextOf, FakePlatform, SECRET, TICKET } from '../support/fake-platform';
import { LOG } from '../support/rig';

const CALL = 'outbound-1-abc';

let platform: FakePlatform;
beforeEach(async () => {
  platform = await FakePlatform.open();
  platform.callContexts.set(CALL, callContextOf(CALL));
});
afterEach(() => platform.close());

async function transferring(
  to: string,
  { isSip = true, refusedWith = null as Error | null } = {},
): Promise<{ isDone: boolean; transferred: string[] }> {
  const transferred: string[] = [];
  const api = new PlatformApi({ apiUrl: platform.url, secret: SECRET }, TICKET);
  await api.callContext(CALL);
  const state = new SessionState();
  state.update({ participant: { identity: 'callee', isSip, isAgent: false, attributes: {} } });
  const call = {
    callContext: { callId: CALL },
    platform: api,
    state,
    room: {
      transfer: (identity: string, address: string) => {
        if (refusedWith !== null) return Promise.reject(refusedWith);
        return Promise.resolve(void transferred.push(`${identity} ${address}`));
      },
    },
    log: LOG,
  };
  const isDone = await callControlsFor(call as never).transfer(to);
  return { isDone, transferred };
}

test('transfers a call to the address that the platform returns', async () => {
  platform.transfer = { transfer: true, to: 'tel:+912250001234' };
  expect(await transferring('022 5000 1234')).toEqual({
    isDone: true,
    transferred: ['callee tel:+912250001234'],
  });
  expect(platform.transfers).toEqual([{ callId: CALL, to: '022 5000 1234' }]);
});

test.each([{ transfer: false, reason: 'spend' }, {}, { transfer: true }])(
  'does not transfer the call when the platform returns %j',
  async (answer) => {
    platform.transfer = answer;
    expect(await transferring('+912250001234')).toEqual({ isDone: false, transferred: [] });
  },
);

test("does not transfer and does not retry when the platform doesn't respond", async () => {
  platform.transferStatus = 503;
  expect(await transferring('+912250001234')).toEqual({ isDone: false, transferred: [] });
  expect(platform.transfers).toHaveLength(1);
});

test('does not request a transfer in a browser session', async () => {
  expect(await transferring('+912250001234', { isSip: false })).toEqual({ isDone: false, transferred: [] });
  expect(platform.transfers).toEqual([]);
});

test('fails a transfer when LiveKit reports a busy target, a trunk without REFER support, or a missing NOTIFY', async () => {
  platform.transfer = { transfer: true, to: 'tel:+912250001234' };
  const refusedWith = new Error('call transfer failed: sip status: 486: Busy Here');
  expect(await transferring('+912250001234', { refusedWith })).toEqual({ isDone: false, transferred: [] });
});
