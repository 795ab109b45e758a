import { callCost } from '../../domain/call-cost';
import { redialAt, redialShiftsMs } from '../../domain/redial';

const ENDED = { redial: true, attempt: 1, reportedAt: 1_000, isCancelled: false };
const TERMS = { maxAttempts: 3, retryDelayMins: 2 };

test.each([
  ['after the delay, counted from the report of its end', { reportedAt: 5_000 }, 125_000],
  ['while dials are left', { attempt: 2 }, 121_000],
  ['never after the last dial', { attempt: 3 }, null],
  ['never after more dials than are now allowed', { attempt: 4 }, null],
  ['never if its outcome is final', { redial: false }, null],
  ['never for a cancelled campaign', { isCancelled: true }, null],
])('decides when to redial: %s', (_when, changes, at) => {
  expect(redialAt({ ...ENDED, ...changes }, TERMS)).toBe(at);
});

test('makes a redial without a retry delay due immediately', () => {
  expect(redialAt(ENDED, { maxAttempts: 2, retryDelayMins: 0 })).toBe(1_000);
});

test.each([
  [-5, 0],
  [0, 0],
  [1, 3],
  [60_000, 3],
  [60_001, 6],
])('bills %d ms of talk time at three credits per minute as %d credits', (talkMs, credits) => {
  expect(callCost(talkMs, 3)).toBe(credits);
});

test.each([
  ['by the change of the delay', { maxAttempts: 3, retryDelayMins: 5 }, [240_000, 240_000]],
  [
    'not at all after the last attempt that is still allowed',
    { maxAttempts: 2, retryDelayMins: 5 },
    [240_000, 0],
  ],
  ['not at all when only more attempts are allowed', { maxAttempts: 9, retryDelayMins: 1 }, [0, 0]],
])('moves waiting redials %s', (_what, after, shiftsMs) => {
  expect(redialShiftsMs({ maxAttempts: 3, retryDelayMins: 1 }, after)).toEqual(shiftsMs);
});
