import { readCommandLine } from '../../../verify/bench/command-line';

test('measures the budget and the lists and writes no file when no options are given', () => {
  expect(readCommandLine([])).toEqual({
    jsonFile: null,
    parts: ['budget', 'lists'],
    temporal: 'auto',
    details: false,
  });
});

test('runs only the benchmark parts in --only, in the usual order', () => {
  expect(readCommandLine(['--only', 'shares,budget', '--full'])?.parts).toEqual(['budget', 'shares']);
});

test.each([
  [['--fast'], '"--fast"'],
  [['--only', 'budget,speed'], '--only must be one or more of budget,lists,'],
  [['--temporal', 'cloud'], '--temporal must be one of auto, postgres, dev'],
])('rejects %j and names the unknown value', (args, message) => {
  expect(() => readCommandLine(args)).toThrow(message);
});
