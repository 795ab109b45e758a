import { summaryOf, tallyOf, type Tally } from '../../../dev/demo/tally';
import { CAMPAIGN_ID, RunLog } from './run-log';

const ONE = '+916100000001';
const TWO = '+916100000002';
const THREE = '+916100000089';

const tally = (log: RunLog, numbers = [ONE, TWO, THREE], lines = 2): Tally =>
  tallyOf({ ...log, numbers: new Set(numbers), campaignId: CAMPAIGN_ID, lines });

test('counts a contact as completed if a call was answered, and every other dialled contact as failed', () => {
  const log = new RunLog()
    .call(ONE, 'a', { fromS: 0, toS: 3, answered: false })
    .call(ONE, 'b', { fromS: 4, toS: 9, answered: true })
    .call(TWO, 'c', { fromS: 0, toS: 2, answered: false })
    .posted(THREE, 'd', 422);
  expect(tally(log)).toMatchObject({ contacts: 3, completed: 1, failed: 2 });
  expect(tally(log).calls).toHaveLength(3);
});

test('counts a rejected POST as a dial request, but not as a dial', () => {
  const log = new RunLog().posted(ONE, 'a', 503).call(ONE, 'a', { fromS: 1, toS: 2, answered: true });
  expect(tally(log)).toMatchObject({ duplicateDials: 0, requested: new Set(['a']) });
  expect(tally(log).calls).toHaveLength(1);
});

test('counts a second call under the same reference as a duplicate', () => {
  const log = new RunLog()
    .call(ONE, 'a', { fromS: 0, toS: 2, answered: true })
    .call(ONE, 'a', { fromS: 3, toS: 4, answered: true });
  expect(tally(log).duplicateDials).toBe(1);
});

test('does not count calls as concurrent if one begins in the millisecond in which the other ends', () => {
  const log = new RunLog()
    .call(ONE, 'a', { fromS: 0, toS: 2, answered: true })
    .call(TWO, 'b', { fromS: 2, toS: 4, answered: true });
  expect(tally(log).peakLive).toBe(1);
});

test('counts overlapping calls as concurrent', () => {
  const log = new RunLog();
  const one = log.placed(ONE, 'a', 0);
  const two = log.placed(TWO, 'b', 1);
  log.state(ONE, one, 2, 'ended').state(TWO, two, 3, 'ended');
  expect(tally(log).peakLive).toBe(2);
});

test('ignores calls of other runs in the same log', () => {
  const log = new RunLog()
    .call(ONE, 'a', { fromS: 0, toS: 2, answered: true })
    .call('+916100009901', 'other', { fromS: -60, toS: 50, answered: true });
  expect(tally(log)).toMatchObject({ contacts: 1, peakLive: 1, makespanMs: 2000 });
});

describe('webhooks', () => {
  const notified = (differences: Parameters<RunLog['notified']>[1]) =>
    summaryOf(tally(new RunLog().notified('a').notified('a', differences)), 2).webhooks;

  test('counts a repeated delivery as one event', () => expect(notified({ attempt: 2 })).toBe(1));
  test('counts two events of one call as two', () => expect(notified({ event_id: 'other' })).toBe(2));
  test('ignores an event with an invalid signature', () => {
    expect(notified({ event_id: 'other', valid: false })).toBe(1);
  });
  test('ignores an event that was not accepted', () => {
    expect(notified({ event_id: 'other', status: 500 })).toBe(1);
  });
  test('ignores an event of another campaign', () => {
    expect(notified({ event_id: 'other', campaign_id: 'c2' })).toBe(1);
  });
  test('ignores an event about the campaign itself', () => {
    expect(notified({ event_id: 'other', call_id: null })).toBe(1);
  });
});
