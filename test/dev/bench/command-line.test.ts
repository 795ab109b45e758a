import { readCommandLine } from '../../../dev/bench/command-line';

test('without options it is the short run, to the terminal alone', () => {
  expect(readCommandLine([])).toEqual({ jsonFile: null, full: false, details: false, listsOnly: false });
});

test('a file for the figures, the full campaign and the details can be asked for', () => {
  const options = readCommandLine(['--json', 'figures.json', '--full', '--details', '--lists']);
  expect(options).toEqual({ jsonFile: 'figures.json', full: true, details: true, listsOnly: true });
});

test('an option that does not exist is named', () => {
  expect(() => readCommandLine(['--fast'])).toThrow("'--fast'");
});

test('help asks for no run', () => {
  expect(readCommandLine(['--help', '--full'])).toBeNull();
});
