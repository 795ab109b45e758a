import type { DialStep } from '../../activities/dialling/dial-step';
import { DirectDials } from '../../activities/dialling/direct-dials';
import type { Prepared } from '../../activities/dialling/preparing';
import type { WorkflowState } from '../../activities/dependencies';

const NOW = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function directDials(state: WorkflowState = 'running') {
  const [signals, warnings]: [unknown[], unknown[]] = [[], []];
  const dials = new DirectDials({
    atOnce: 1,
    workflows: { state: () => Promise.resolve(state) } as never,
    log: { warn: (fields: unknown) => void warnings.push(fields) } as never,
    clock: () => NOW,
    signals: {
      getHandle: (id) => ({ signal: (...sent) => Promise.resolve(void signals.push([id, ...sent])) }),
    },
  });
  return { dials, signals, warnings };
}

/** Dials one call directly. Returns the signals to its workflow within `waitMs`, the inputs of the dials and the warnings. */
async function dialled(
  dial: () => Promise<DialStep>,
  {
    state,
    waitMs = 0,
    prepared = null,
  }: { state?: WorkflowState; waitMs?: number; prepared?: Prepared | null } = {},
) {
  const { dials, signals, warnings } = directDials(state);
  const inputs: unknown[] = [];
  dials.start({
    dial: (input) => {
      inputs.push(input);
      return dial();
    },
    prepare: () => Promise.resolve(prepared),
  });
  dials.dial(['call-1']);
  await jest.advanceTimersByTimeAsync(waitMs);
  await dials.stop();
  return { signals, inputs, warnings };
}

const unavailable = {
  kind: 'unavailable',
  retryAfterMs: null,
  endReason: 'carrier_unavailable',
  since: NOW,
} as const;

test.each<[DialStep, unknown[]]>([
  [{ kind: 'placed', deadlineMs: 1 }, []],
  [{ kind: 'noLine' }, []],
  [{ kind: 'over', callStatus: null }, []],
  [{ kind: 'over', callStatus: 'DND' }, [['call-1', 'callEnded', { callStatus: 'DND' }]]],
])('signals the workflow only about an end after a direct dial that returns %j', async (step, signals) => {
  expect(await dialled(() => Promise.resolve(step), { waitMs: 60_000 })).toEqual({
    signals,
    inputs: [{ callId: 'call-1', now: NOW, isDirect: true, prepared: {} }],
    warnings: [],
  });
});

test.each<[DialStep, number]>([
  [{ kind: 'paced', waitMs: 2_000 }, 2_000],
  [{ kind: 'unknown', dialAgainAfterMs: 1_000 }, 1_000],
  [unavailable, 1_000],
  [{ ...unavailable, retryAfterMs: 7_000 }, 7_000],
])('leaves the dial to the workflow after a direct dial that returns %j, after %d ms', async (step, ms) => {
  const dial = () => Promise.resolve(step);
  expect((await dialled(dial, { waitMs: ms - 1 })).signals).toEqual([]);
  expect((await dialled(dial, { waitMs: ms })).signals).toEqual([['call-1', 'lineGranted']]);
});

const UNPREPARED = { kind: 'unprepared', of: 'room' } as const;
const PLACED = { kind: 'placed', deadlineMs: 1 } as const;

test('prepares the dial and then dials with the result, if the agent is slow', async () => {
  const steps: DialStep[] = [UNPREPARED, PLACED];
  const prepared = { room: { isReady: true, until: NOW } } as const;
  const { inputs, signals } = await dialled(() => Promise.resolve(steps.shift() ?? PLACED), { prepared });
  expect(inputs).toMatchObject([{ prepared: {} }, { prepared }]);
  expect(signals).toEqual([]);
});

test('leaves the dial to the workflow at once if it could not be prepared', async () => {
  expect((await dialled(() => Promise.resolve(UNPREPARED))).signals).toEqual([['call-1', 'lineGranted']]);
});

test('dials other calls while one call waits for its agent', async () => {
  const { dials } = directDials();
  const placed: string[] = [];
  let ready: (prepared: Prepared) => void = () => undefined;
  dials.start({
    dial: ({ callId, prepared }) => {
      if (callId === 'slow' && prepared?.room === undefined) return Promise.resolve(UNPREPARED);
      placed.push(callId);
      return Promise.resolve(PLACED);
    },
    prepare: () => new Promise((resolve) => (ready = resolve)),
  });
  dials.dial(['slow', 'quick']);
  await jest.advanceTimersByTimeAsync(0);
  expect(placed).toEqual(['quick']);
  ready({ room: { isReady: true, until: NOW } });
  await dials.stop();
  expect(placed).toEqual(['quick']);
});

test('leaves the dial to the workflow before the activities exist and after a stop', async () => {
  const { dials, signals } = directDials();
  dials.dial(['call-1']);
  dials.start({
    dial: () => Promise.reject(new Error('must not dial')),
    prepare: () => Promise.resolve(null),
  });
  await dials.stop();
  dials.dial(['call-2']);
  await jest.advanceTimersByTimeAsync(0);
  expect(signals).toEqual([
    ['call-1', 'lineGranted'],
    ['call-2', 'lineGranted'],
  ]);
});

test('runs at most as many dials at once as allowed', async () => {
  const { dials } = directDials();
  const begun: string[] = [];
  dials.start({
    dial: ({ callId }) => {
      begun.push(callId);
      return new Promise((resolve) => setTimeout(() => resolve(PLACED), 100));
    },
    prepare: () => Promise.resolve(null),
  });
  dials.dial(['call-1', 'call-2']);
  await jest.advanceTimersByTimeAsync(99);
  expect(begun).toEqual(['call-1']);
  await jest.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['call-1', 'call-2']);
});

test('leaves the dial to the workflow if the direct dial fails, and logs no message', async () => {
  expect(await dialled(() => Promise.reject(new TypeError('+919876543210')))).toMatchObject({
    signals: [['call-1', 'lineGranted']],
    warnings: [{ call_id: 'call-1', error: 'TypeError' }],
  });
});

test.each<WorkflowState>(['closed', 'missing', 'stuck'])(
  'does not dial a call whose workflow is %s',
  async (state) => {
    expect(await dialled(() => Promise.reject(new Error('must not dial')), { state })).toEqual({
      signals: [],
      inputs: [],
      warnings: [],
    });
  },
);
