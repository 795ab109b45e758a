import { courseOf } from '../../../verify/bench/campaign-course';
import { manyFigures } from '../../../verify/bench/many-campaigns';
import { callEntries } from './call-entries';
import { usage } from './usage-of';

/** Two campaigns on one line: a's two calls, then b's. */
const LOG = [
  ...callEntries('a1', 0, 1000),
  ...callEntries('a2', 1000, 2000),
  ...callEntries('b1', 2000, 4000),
];
const course = (first: string) => courseOf(LOG, (reference) => reference.startsWith(first));

const value = (name: string) => {
  const many = {
    lines: 1,
    contacts: 3,
    usage: usage({}),
    together: course(''),
    courses: [course('a'), course('b')],
  };
  return manyFigures(many).find((each) => each.name === `2 campaigns: ${name}`)?.value;
};

test('the spread is what lies between the first and the last end, of the whole', () => {
  expect(value('first campaign is over')).toBe(2);
  expect(value('last campaign is over')).toBe(4);
  expect(value('spread of the ends / makespan')).toBe(0.5);
});

test('a campaign that must wait for the others to end shows in its first call', () => {
  expect(value('first call of the last campaign to begin')).toBe(2);
});

test('all campaigns together make the makespan', () => {
  expect(value('makespan')).toBe(4);
  expect(value('makespan / ideal')).toBe(1);
  expect(value('duplicates')).toBe(0);
});
