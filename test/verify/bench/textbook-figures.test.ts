import { courseOf } from '../../../verify/bench/campaign-course';
import { textbookFigures } from '../../../verify/bench/figures';
import { callEntries } from './call-entries';
import { usage } from './usage-of';

/** Two calls on one line with 50 ms in between. */
const course = courseOf([...callEntries('a', 0, 1000), ...callEntries('b', 1050, 2000)], () => true);

const side = (worker: number, temporal: number, temporalInPostgres: number | null) => ({
  contacts: 2,
  lines: 1,
  course,
  usage: usage({ cpuMs: { worker, temporal, api: 500, postgres: 900, temporalInPostgres } }),
});

function figureOf(name: string, ours: ReturnType<typeof side>[], theirs: ReturnType<typeof side>[]) {
  const rounds = ours.map((mine, nth) => ({
    ours: {
      ...mine,
      firstDialMs: 0,
      campaignRuns: [],
      calls: [],
      stages: { handOverMs: [], pickUpMs: [], dialMs: [] },
    },
    textbook: theirs[nth] ?? side(1, 1, null),
  }));
  return textbookFigures(rounds).find((each) => each.name.trim() === name)?.value;
}

const RATIO = 'CPU of worker + Temporal / textbook';

test('with its state in Postgres, what Postgres does for Temporal counts as Temporal’s', () => {
  expect(figureOf(RATIO, [side(10, 20, 30)], [side(20, 40, 60)])).toBe(0.5);
  expect(figureOf('textbook: CPU per call, temporal', [side(1, 1, 1)], [side(20, 40, 60)])).toBe(50);
});

test('for the development server there is nothing to add', () => {
  expect(figureOf(RATIO, [side(10, 20, null)], [side(40, 20, null)])).toBe(0.5);
});

test('the ratio is that of all rounds together, with its least and most beside it', () => {
  const ours = [side(10, 0, null), side(30, 0, null)];
  const theirs = [side(20, 0, null), side(30, 0, null)];
  expect(figureOf(RATIO, ours, theirs)).toBe(0.8);
  expect(figureOf('least of the rounds', ours, theirs)).toBe(0.5);
  expect(figureOf('most of the rounds', ours, theirs)).toBe(1);
});

test('how long a line is idle is compared with the textbook’s at the same percentile', () => {
  expect(figureOf('idle line / textbook, p50', [side(1, 1, null)], [side(1, 1, null)])).toBe(1);
  expect(figureOf('idle line / textbook, p99', [side(1, 1, null)], [side(1, 1, null)])).toBe(1);
});
