import { callCost } from '../../domain/call-cost';
import { redialAt } from '../../domain/redial';

const ENDED = { redial: true, attempt: 1, reportedAt: 1_000, isCancelled: false };
const TERMS = { maxAttempts: 3, retryDelayMins: 2 };

test.each([
  ['the delay after its end was reported', { reportedAt: 5_000 }, 125_000],
  ['while dials are left', { attempt: 2 }, 121_000],
  ['not after the last dial', { attempt: 3 }, null],
  ['not after more dials than are allowed by now', { attempt: 4 }, null],
  ['not where its outcome is final', { redial: false }, null],
  ['not for a cancelled campaign', { isCancelled: true }, null],
])('a call is dialled again %s', (_when, changes, at) => {
  expect(redialAt({ ...ENDED, ...changes }, TERMS)).toBe(at);
});

test('a delay of nothing is due at once', () => {
  expect(redialAt(ENDED, { maxAttempts: 2, retryDelayMins: 0 })).toBe(1_000);
});

test.each([
  [-5, 0],
  [0, 0],
  [1, 3],
  [60_000, 3],
  [60_001, 6],
])('%d ms of talk at three credits a minute cost %d', (talkMs, credits) => {
  expect(callCost(talkMs, 3)).toBe(credits);
});
