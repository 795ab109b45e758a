import type { LiveCall } from '../../../dev/sip-stand-in/live-call';
import { Transfers } from '../../../dev/sip-stand-in/sip-service';
import { systemClock } from '../../../dev/simulator/clock';

const TO = 'tel:+9161000001';
const TIMINGS = { ringMs: 20, talkMs: 20, ringCapMs: 20 };

function talking(isTalking = true) {
  const ended: string[] = [];
  let hangUp: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (hangUp = resolve));
  const end = (reason: string) => Promise.resolve(void ended.push(reason)).then(hangUp);
  return { call: { isTalking, over, end } as unknown as LiveCall, ended, hangUp, over };
}

const open = () => new Transfers({ clock: systemClock, timings: TIMINGS });
const request = (ending: number, ringTimeoutMs = 0) => ({ to: `${TO}${ending}`, ringTimeoutMs });

test('completes a transfer when the target answers, and hangs up the leg', async () => {
  const { call, ended, over } = talking();
  await open().transfer(call, request(10));
  await over;
  expect(ended).toEqual(['callee']);
});

test.each([
  {
    ending: 85,
    code: 'resource_exhausted',
    status: '486',
    says: 'call transfer failed: sip status: 486: Busy Here',
  },
  {
    ending: 88,
    code: 'permission_denied',
    status: '603',
    says: 'call transfer failed: sip status: 603: Decline',
  },
  { ending: 80, code: 'resource_exhausted', status: '480', says: expect.stringContaining('480') },
  { ending: 66, code: 'invalid_argument', status: '405', says: 'sip status: 405: Method Not Allowed' },
])(
  'fails a transfer with $status for target $ending, and continues the call',
  async ({ ending, code, status, says }) => {
    const { call, ended } = talking();
    const failing = open().transfer(call, request(ending));
    await expect(failing).rejects.toMatchObject({ code, message: says, meta: { sip_status_code: status } });
    expect(ended).toEqual([]);
  },
);

test("fails a transfer without a NOTIFY after LiveKit's timeout, and continues the call", async () => {
  const { call, ended } = talking();
  await expect(open().transfer(call, request(67, 30))).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect(ended).toEqual([]);
});

test('completes a transfer if the call ends first', async () => {
  const { call, hangUp } = talking();
  const transferred = open().transfer(call, request(67));
  hangUp();
  await expect(transferred).resolves.toBeUndefined();
});

test('starts a repeated transfer only once, and rejects a different target while it runs', async () => {
  const { call, hangUp } = talking();
  const transfers = open();
  const first = transfers.transfer(call, request(67));
  await expect(transfers.transfer(call, request(10))).rejects.toMatchObject({ code: 'invalid_argument' });
  const again = transfers.transfer(call, request(67));
  hangUp();
  await Promise.all([first, again]);
});

test('rejects a transfer of a call that was not answered', async () => {
  await expect(open().transfer(talking(false).call, request(10))).rejects.toMatchObject({
    code: 'failed_precondition',
  });
});
