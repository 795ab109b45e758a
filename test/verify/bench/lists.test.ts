import { listFigures, listTable } from '../../../verify/bench/lists/list-figures';
import { AGENTS, CALL_HISTORY } from '../../../verify/bench/lists/list-kinds';
import {
  pageNumber,
  type ListsMeasurement,
  type PagePosition,
} from '../../../verify/bench/lists/measure-lists';
import { columns } from '../../../verify/bench/table';

const SMALL = { calls: 100_000, agents: 101, campaigns: 1, contacts: 1, deliveries: 1, audit: 1 };
const LARGE = { calls: 3_000_000, agents: 10_000, campaigns: 1, contacts: 1, deliveries: 1, audit: 1 };

function measured(position: PagePosition, largeMs: number): ListsMeasurement {
  const times = (overHttpMs: number) => ({ overHttpMs, sqlMs: 2, bareMs: null });
  return {
    small: SMALL,
    large: LARGE,
    pages: [{ kind: CALL_HISTORY, position, small: times(10), large: times(largeMs) }],
    others: [{ name: 'all agents', isCounted: true, small: times(30), large: times(300) }],
    dialPath: { smallMs: 10, largeMs: 13.1 },
    consolePages: [{ name: 'one call', p95Ms: 201 }],
    postgresVersion: '18.4',
  };
}

const growth = (measurement: ListsMeasurement) =>
  listFigures(measurement).find(({ name }) => name.includes('growth'));

test.each<[PagePosition, number, boolean | null]>([
  ['first', 13, true],
  ['first', 13.1, false],
  ['last', 50, true],
  ['last', 51, false],
  ['middle', 10_000, null],
])('the %s page at %d ms instead of 10: holds is %s', (position, largeMs, holds) => {
  expect(growth(measured(position, largeMs))?.holds).toBe(holds);
});

test('a last page that is not full counts, and an odd middle is a page', () => {
  expect(pageNumber('first', AGENTS, SMALL)).toBe(1);
  expect(pageNumber('middle', AGENTS, SMALL)).toBe(6);
  expect(pageNumber('last', AGENTS, SMALL)).toBe(11);
  expect(pageNumber('last', CALL_HISTORY, LARGE)).toBe(200);
});

test('every figure has a name of its own', () => {
  const names = listFigures(measured('first', 12)).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('call history, page 1 of 3,000,000, over HTTP');
});

test('the table has a row for each size and says what does not hold', () => {
  const lines = listTable(measured('first', 14)).split('\n');
  expect(lines).toEqual([
    'list                           rows  over HTTP  its SQL  bare SQL  growth  goal',
    'call history, page 1        100,000      10 ms     2 ms',
    '                          3,000,000      14 ms     2 ms            1.40 x  <= 1.3  DOES NOT HOLD',
    'all agents                  100,000      30 ms     2 ms',
    '                          3,000,000     300 ms     2 ms              10 x',
    'a call from claim to end    100,000               10 ms',
    '                          3,000,000             13.1 ms            1.31 x  <= 1.3  DOES NOT HOLD',
    'Of 3,000,000 calls or 10,000 agents:',
    'console, one call: p95                  201 ms                             <= 200  DOES NOT HOLD',
  ]);
});

test('a line of text does not widen the columns', () => {
  expect(columns([['a', 'b'], ['a long line of text'], ['aa', 'bb']], [1])).toBe(
    'a    b\na long line of text\naa  bb',
  );
});
