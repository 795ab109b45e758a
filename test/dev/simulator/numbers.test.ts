import { expectedOutcome, outcomeOf, scriptFor } from '../../../dev/simulator/numbers';
import { numberEnding } from './fixtures';

const summary = (digits: string, nthCall = 1) => {
  const script = scriptFor(numberEnding(digits));
  const outcome = outcomeOf(script, nthCall);
  return [script.post, script.reply, script.events, outcome.kind, outcome.endReason].join(' ');
};

describe('the script of a number', () => {
  test.each([
    ['00', 'taken sent in_order answered agent'],
    ['69', 'taken sent in_order answered agent'],
    ['70', 'taken sent in_order answered callee'],
    ['72', 'taken sent in_order answered callee'],
    ['73', 'taken sent in_order answered max_talk'],
    ['74', 'taken sent in_order unanswered invalid_number'],
    ['75', 'taken sent in_order unanswered no_answer'],
    ['80', 'taken sent in_order unanswered no_answer'],
    ['84', 'taken sent in_order unanswered no_answer'],
    ['85', 'taken sent in_order unanswered busy'],
    ['87', 'taken sent in_order unanswered busy'],
    ['88', 'taken sent in_order unanswered rejected'],
    ['89', 'invalid sent in_order unanswered invalid_number'],
    ['90', 'taken sent in_order answered agent'],
    ['91', 'taken sent in_order answered dropped'],
    ['92', 'taken sent in_order unanswered carrier_failure'],
    ['93', 'taken lost in_order answered agent'],
    ['94', 'taken sent twice_and_shuffled answered agent'],
    ['95', 'first_503 sent in_order answered agent'],
    ['96', 'first_429 sent in_order answered agent'],
    ['97', 'taken sent in_order answered agent'],
    ['98', 'taken sent in_order answered agent'],
    ['99', 'taken sent never_ended answered agent'],
  ])('returns the script for %s: %s', (digits, expected) => {
    expect(summary(digits)).toBe(expected);
  });

  test('leaves odd calls to 75–79 unanswered and answers even ones', () => {
    for (const digits of ['75', '76', '77', '78', '79']) {
      const reasons = [1, 2, 3, 4].map((nth) => outcomeOf(scriptFor(numberEnding(digits)), nth).endReason);
      expect(reasons).toEqual(['no_answer', 'agent', 'no_answer', 'agent']);
    }
  });

  test('asks for a callback only on the first call to 98', () => {
    const kinds = [1, 2, 3].map((nth) => outcomeOf(scriptFor(numberEnding('98')), nth));
    expect(kinds.map((outcome) => outcome.kind === 'answered' && outcome.conversation)).toEqual([
      'callback',
      'talk',
      'talk',
    ]);
  });

  test('answers a call to 90 as a machine, and lets a call to 97 ring for a long time', () => {
    expect(scriptFor(numberEnding('90')).outcome).toMatchObject({ answeredBy: 'machine' });
    expect(scriptFor(numberEnding('97')).outcome).toMatchObject({ ring: 'long' });
  });
});

describe('the expected outcome of a number', () => {
  test.each([
    ['00', 3, 'completed completed 1 completed'],
    ['71', 3, 'completed completed 1 User disconnected'],
    ['73', 3, 'completed completed 1 completed'],
    ['74', 3, 'failed invalid 1 failed'],
    ['76', 3, 'completed completed 2 completed'],
    ['76', 1, 'failed failed 1 no answer'],
    ['82', 3, 'failed failed 3 no answer'],
    ['86', 2, 'failed failed 2 busy'],
    ['88', 3, 'failed failed 1 rejected'],
    ['89', 3, 'failed invalid 0 failed'],
    ['90', 3, 'completed completed 1 voicemail'],
    ['91', 3, 'completed completed 1 error'],
    ['92', 3, 'failed failed 3 failed'],
    ['93', 3, 'completed completed 1 completed'],
    ['94', 3, 'completed completed 1 completed'],
    ['95', 3, 'completed completed 1 completed'],
    ['96', 3, 'completed completed 1 completed'],
    ['97', 3, 'completed completed 1 completed'],
    ['99', 3, 'completed completed 1 completed'],
  ])('returns the outcome for %s with %i attempts: %s', (digits, maxRetries, expected) => {
    const { state, contactState, placed, callStatus } = expectedOutcome(numberEnding(digits), maxRetries);
    expect([state, contactState, placed, callStatus].join(' ')).toBe(expected);
  });

  test('expects one completed call and a callback from 98', () => {
    expect(expectedOutcome(numberEnding('98'), 3)).toMatchObject({
      state: 'completed',
      placed: 1,
      callbacks: 1,
    });
  });

  test('includes calls of an earlier run when it applies the rule for odd and even calls', () => {
    expect(expectedOutcome(numberEnding('75'), 3, 1)).toMatchObject({ placed: 1, callStatus: 'completed' });
  });
});
