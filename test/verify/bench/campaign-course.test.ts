import { courseOf, idealMakespanMs, idleLineMs, makespanMs } from '../../../verify/bench/campaign-course';
import { callEntries, START_MS } from './call-entries';

/** Two lines: a and b occupy them, c follows b after 30 ms, and d follows a after 50 ms. */
const LOG = [
  ...callEntries('a', 0, 2000),
  ...callEntries('b', 10, 1000),
  ...callEntries('c', 1030, 4000),
  ...callEntries('d', 2050, 3000),
  ...callEntries('of another campaign', 0, 9000),
];
const course = courseOf(LOG, (reference) => reference.length === 1);

test('counts only requests that place calls of the campaign', () => {
  expect(course.requestedAtMs.map((ms) => ms - START_MS)).toEqual([0, 10, 1030, 2050]);
  expect(course.requests.get('d')).toBe(START_MS + 2050);
});

test("measures a line's idle time from the end of a call to the next request", () => {
  expect(idleLineMs(course, 2)).toEqual([30, 50]);
});

test('measures no idle time for the first call of each line', () => {
  expect(idleLineMs(course, 4)).toEqual([]);
});

test('measures the makespan from the first request to the last end', () => {
  expect(makespanMs(course)).toBe(4000);
});

test('computes the ideal makespan from the durations in order of acceptance', () => {
  expect(course.durationsMs).toEqual([2000, 990, 2970, 950]);
  expect(idealMakespanMs(course, 2)).toBe(3960);
});

test('returns NaN as the makespan if a call never ended', () => {
  const [unfinished] = [courseOf(LOG.slice(0, 4), () => true)];
  expect(makespanMs(unfinished)).toBeNaN();
  expect(unfinished.durationsMs).toEqual([NaN]);
});
