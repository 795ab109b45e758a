import { courseOf } from '../../../verify/bench/campaign-course';
import { faultsOf, flatGrowth, growthTable } from '../../../verify/bench/growth';
import { figure } from '../../../verify/bench/figure';
import { callEntries } from './call-entries';

const row = (contacts: number, ms: number) => ({
  contacts,
  figures: [figure('idle line, p50', ms, 'ms'), figure('duplicates', 0, '', 0)],
});
const SIZES = [row(100, 20), row(1000, 30), row(10_000, 50)];

test('a second request for the same call is a duplicate, a contact without one is lost', () => {
  const course = courseOf(
    [...callEntries('a', 0, 100), ...callEntries('b', 0, 100), ...callEntries('b', 50, 150)],
    () => true,
  );
  expect(faultsOf(3, course)).toEqual({ duplicates: 1, lost: 1 });
});

test('the table has a column for each size and how much the last is of the first', () => {
  expect(growthTable(SIZES, 40).split('\n')).toEqual([
    'contacts on 40 lines  100  1,000  10,000      growth',
    'idle line, p50         20     30      50  ms  2.50 x',
    'duplicates              0      0       0',
  ]);
});

test('each figure of each size has a name of its own', () => {
  const names = flatGrowth(SIZES).map(({ name }) => name);
  expect(new Set(names).size).toBe(6);
  expect(names).toContain('10000 contacts: idle line, p50');
});
