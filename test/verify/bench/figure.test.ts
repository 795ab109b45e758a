import { figure } from '../../../verify/bench/figure';
import { table } from '../../../verify/bench/table';

test('a goal holds up to and with its own value', () => {
  expect(figure('events', 8, '', 8).holds).toBe(true);
  expect(figure('events', 8.002, '', 8).holds).toBe(false);
});

test('what is judged is what is printed', () => {
  expect(figure('events', 8.0001, '', 8)).toMatchObject({ value: 8, holds: true });
});

test('without a goal nothing holds or fails', () => {
  expect(figure('makespan', 15.25, 's')).toEqual({
    name: 'makespan',
    value: 15.25,
    unit: 's',
    goal: null,
    holds: null,
  });
});

test('a figure that could not be measured is no figure', () => {
  expect(() => figure('makespan', NaN, 's')).toThrow('makespan could not be measured');
});

test('the table is aligned, and says which goals do not hold', () => {
  const lines = table([figure('idle line', 51.6, 'ms', 50), figure('makespan', 15.25, 's')]).split('\n');
  expect(lines).toEqual([
    'figure     value  unit  goal',
    'idle line   51.6  ms    <= 50  DOES NOT HOLD',
    'makespan    15.3  s',
  ]);
});
