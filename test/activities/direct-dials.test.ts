import type { DialStep } from '../../activities/dialling/dialling';
import { DirectDials } from '../../activities/dialling/direct-dials';
import type { WorkflowState } from '../../activities/dependencies';

const NOW = 1_000;

/** Dials one call directly. Returns the signals to its workflow, the inputs of the dials and the warnings. */
async function dialled(dial: () => Promise<DialStep>, state: WorkflowState = 'running') {
  const [signals, inputs, warnings]: [unknown[], unknown[], unknown[]] = [[], [], []];
  const dials = new DirectDials({
    workflows: { state: () => Promise.resolve(state) } as never,
    log: { warn: (fields: unknown) => void warnings.push(fields) } as never,
    clock: () => NOW,
    signals: {
      getHandle: (id) => ({ signal: (...sent) => Promise.resolve(void signals.push([id, ...sent])) }),
    },
  });
  dials.start((input) => {
    inputs.push(input);
    return dial();
  });
  dials.dial(['call-1']);
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
  [{ kind: 'paced', waitMs: 2_000 }, [['call-1', 'lineGranted']]],
  [{ kind: 'unprepared', of: 'room' }, [['call-1', 'lineGranted']]],
  [{ kind: 'unknown', dialAgainAfterMs: 1_000 }, [['call-1', 'lineGranted']]],
  [unavailable, [['call-1', 'lineGranted']]],
])('signals the workflow as needed after a direct dial that returns %j', async (step, signals) => {
  expect(await dialled(() => Promise.resolve(step))).toEqual({
    signals,
    inputs: [{ callId: 'call-1', now: NOW, isDirect: true }],
    warnings: [],
  });
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
    expect(await dialled(() => Promise.reject(new Error('must not dial')), state)).toEqual({
      signals: [],
      inputs: [],
      warnings: [],
    });
  },
);
