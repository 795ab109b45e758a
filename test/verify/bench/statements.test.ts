import { statementsBetween, totalStatements } from '../../../verify/bench/statements';

test('only what was run in between counts, most often first', () => {
  const before = new Map([
    ['select 1', 5],
    ['commit', 2],
  ]);
  const after = new Map([
    ['select 1', 5],
    ['commit', 3],
    ['insert', 4],
  ]);
  const between = statementsBetween(before, after);
  expect(between).toEqual([
    ['insert', 4],
    ['commit', 1],
  ]);
  expect(totalStatements(between)).toBe(5);
});
