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
    .asked(THREE, 'd', 422);
  expect(tally(log)).toMatchObject({ contacts: 3, completed: 1, failed: 2 });
  expect(tally(log).calls).toHaveLength(3);
});

test('counts a rejected POST as a dial request, but not as a dial', () => {
  const log = new RunLog().asked(ONE, 'a', 503).call(ONE, 'a', { fromS: 1, toS: 2, answered: true });
  expect(tally(log)).toMatchObject({ duplicateDials: 0, asked: new Set(['a']) });
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

describe('the ideal time', () => {
  test('divides the total call time by the lines if the lines are the bottleneck', () => {
    const log = new RunLog()
      .call(ONE, 'a', { fromS: 0, toS: 4, answered: true })
      .call(TWO, 'b', { fromS: 0, toS: 4, answered: true })
      .call(THREE, 'c', { fromS: 5, toS: 9, answered: true });
    expect(tally(log)).toMatchObject({ idealMs: 6000, makespanMs: 9000 });
  });

  test('uses the total time of one contact’s calls if that is longer', () => {
    const log = new RunLog()
      .call(ONE, 'a', { fromS: 0, toS: 4, answered: false })
      .call(ONE, 'b', { fromS: 5, toS: 10, answered: true })
      .call(TWO, 'c', { fromS: 0, toS: 1, answered: true });
    expect(tally(log).idealMs).toBe(9000);
  });
});

describe('the wait for a callback', () => {
  const CALLED_BACK = () =>
    new RunLog()
      .call(ONE, 'a', { fromS: 0, toS: 4, answered: true })
      .call(TWO, 'b', { fromS: 1, toS: 9, answered: true });

  test('counts time without live calls before a callback and excludes it from the makespan', () => {
    const log = CALLED_BACK().call(ONE, 'c', { fromS: 60, toS: 65, answered: true });
    expect(tally(log)).toMatchObject({ callbackWaitMs: 51_000, makespanMs: 14_000 });
  });

  test('counts no waiting time if another call was live until the callback was placed', () => {
    const log = CALLED_BACK().call(ONE, 'c', { fromS: 8, toS: 12, answered: true });
    expect(tally(log)).toMatchObject({ callbackWaitMs: 0, makespanMs: 12_000 });
  });

  test('counts no waiting time before a redial, because a platform could have placed it earlier', () => {
    const log = new RunLog()
      .call(ONE, 'a', { fromS: 0, toS: 4, answered: false })
      .call(ONE, 'b', { fromS: 30, toS: 34, answered: true });
    expect(tally(log)).toMatchObject({ callbackWaitMs: 0, makespanMs: 34_000 });
  });

  test('counts no waiting time after a call that has not ended', () => {
    const log = CALLED_BACK();
    log.placed(THREE, 'd', 10);
    log.call(ONE, 'c', { fromS: 60, toS: 65, answered: true });
    expect(tally(log).callbackWaitMs).toBe(0);
  });
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

test('prints eleven figures in the last line of --exit, with times in seconds', () => {
  const log = new RunLog().call(ONE, 'a', { fromS: 0, toS: 2.345, answered: true });
  expect(JSON.stringify(summaryOf(tally(log), 2))).toBe(
    '{"contacts":1,"completed":1,"failed":0,"dials":1,"duplicate_dials":0,"peak_live":1,"lines":2,' +
      '"webhooks":1,"makespan_s":2.35,"callback_wait_s":0,"ideal_s":2.35}',
  );
});

test('counts nothing for empty logs', () => {
  expect(summaryOf(tally(new RunLog()), 2)).toMatchObject({
    contacts: 0,
    dials: 0,
    makespan_s: 0,
    ideal_s: 0,
  });
});
