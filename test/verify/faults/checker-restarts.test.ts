/** Tests how the checker measures the time without dials after a restart while contacts are due. */
import { ORGANIZATION, RunStory } from './run-story';

/** A story with two lines and four contacts: two are called at once, the others when the worker is back. */
function restarted(nextFromS: number, changes: (story: RunStory) => unknown = () => undefined): RunStory {
  const story = new RunStory().campaign([2, 3, 4, 5], { retry_delay_mins: 0 });
  story.call(2, { fromS: 1, toS: 10 }).call(3, { fromS: 1, toS: 12 });
  story
    .call(4, { fromS: nextFromS, toS: nextFromS + 5 })
    .call(5, { fromS: nextFromS + 1, toS: nextFromS + 6 });
  changes(story);
  return story.counted();
}
const seconds = (story: RunStory): number[] => story.verdict().figures.start_to_dial_s;

test('measures the time without dials from the kill and from the start command, not from readiness', () => {
  const { figures } = restarted(21.25, (story) => story.killed('worker', 8, 20, 18.5)).verdict();
  expect(figures.start_to_dial_s).toEqual([2.75]);
  expect(figures.kill_to_dial_s).toEqual([13.25]);
});

test('measures the time without dials until an earlier dial by another worker', () => {
  expect(seconds(restarted(19.5, (story) => story.killed('worker', 8, 20, 18.5)))).toEqual([1]);
});

test('measures the time without dials after each restart of a worker or the API', () => {
  expect(seconds(restarted(21.25, (story) => story.killed('worker', 8, 20)))).toEqual([1.25]);
  expect(seconds(restarted(25, (story) => story.killed('api', 8, 20)))).toEqual([5]);
  expect(
    seconds(restarted(20.5, (story) => story.killed('worker-2', 8, 20).killed('worker', 9, 20.25))),
  ).toEqual([0.5, 0.25]);
});

test('ignores restarts of servers, and restarts that never ended', () => {
  const story = restarted(21, (each) => each.killed('postgres', 8, 20).killed('simulator', 8, 20));
  story.evidence.restarts.push({
    process: 'worker',
    killed_at: '2026-11-02T05:00:08Z',
    started_at: null,
    ready_at: null,
  });
  expect(seconds(story)).toEqual([]);
});

test('measures the time without dials from the start command that ended the whole outage', () => {
  const overlapping = restarted(31, (story) => story.killed('worker', 8, 20).killed('postgres', 15, 30, 29));
  expect(seconds(overlapping)).toEqual([2]);
  const soonAfter = restarted(31, (story) => {
    story.killed('worker', 8, 20).evidence.faults.push({
      at: '2026-11-02T05:00:21.000Z',
      until: '2026-11-02T05:00:30.500Z',
      fault: 'cut, silently',
      target: 'worker-carrier',
    });
  });
  expect(seconds(soonAfter)).toEqual([0.5]);
});

test('treats a link that loses responses as unreachable', () => {
  const story = restarted(27, (each) => {
    each.killed('worker', 8, 20).evidence.faults.push({
      at: '2026-11-02T05:00:21.000Z',
      until: '2026-11-02T05:00:25.000Z',
      fault: 'answers lost (2)',
      target: 'worker-postgres',
    });
  });
  expect(seconds(story)).toEqual([2]);
});

test("doesn't excuse a late dial with an outage that began after the two allowed seconds", () => {
  expect(
    seconds(restarted(31, (story) => story.killed('worker', 8, 20).killed('postgres', 22.5, 30))),
  ).toEqual([11]);
});

test.each<[string, (story: RunStory) => unknown]>([
  ['the campaign was paused', (story) => story.command(15, 'pause').command(20.6, 'resume')],
  [
    'the campaign was being resumed',
    (story) => story.command(15, 'pause').command(19.9, 'resume', { answeredS: 20.4 }),
  ],
  [
    'the campaign did not exist yet',
    (story) => Object.assign(story.evidence.requests[0] ?? {}, { answered_at: '2026-11-02T05:00:20.400Z' }),
  ],
  ['all lines of its organization were in use', (story) => dispatchThatTalksOn(story)],
  [
    'the window was closed',
    (story) => Object.assign(story.evidence.campaigns[0] ?? {}, { start_time: '05:01' }),
  ],
])('measures no time without dials when %s', (_why, change) => {
  const story = restarted(21, (each) => each.killed('worker', 8, 20));
  expect(seconds(story)).toEqual([1]);
  change(story);
  expect(seconds(story)).toEqual([]);
});

function dispatchThatTalksOn(story: RunStory): void {
  story.evidence.organizations = [{ id: ORGANIZATION, max_concurrency: 1, secret: '' }];
  story.dispatch('dispatched-1', 14);
  story.carrier = story.carrier.filter(
    ({ line }) => line.reference !== 'dispatched-1' || line.kind === 'placed',
  );
}

test('measures no time without dials when no contact was due', () => {
  const story = new RunStory()
    .campaign([2], { retry_delay_mins: 1 })
    .call(2, { fromS: 1, toS: 5, answered: false });
  story.call(2, { fromS: 65.2, attempt: 2 }).killed('worker', 8, 20).counted();
  expect(seconds(story)).toEqual([]);
});

test('considers a line in use until the end of its call has been reported, or for thirty seconds', () => {
  const unreported = (nextFromS: number) => {
    const story = restarted(nextFromS, (each) => each.killed('api', 8, 20));
    story.carrier = story.carrier.filter(({ line }) => line.kind !== 'event');
    return story;
  };
  expect(seconds(unreported(21))).toEqual([]);
  const found = unreported(60).killed('worker', 44, 50);
  expect(seconds(found)).toEqual([10]);
});

test('considers a contact busy if it was dialled before the outage and its call was queried afterwards', () => {
  const story = restarted(26, (each) => each.killed('worker', 8, 20));
  for (const row of [4, 5]) {
    story.line(20.5, {
      kind: 'request',
      method: 'GET',
      path: '/calls',
      status: 200,
      reference: `call-${row}-1`,
    });
  }
  expect(seconds(story)).toEqual([]);
});

test('measures the restarts of a run without violations', () => {
  expect(restarted(21, (story) => story.killed('worker', 8, 20)).violations()).toEqual({});
});
