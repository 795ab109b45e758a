import { readCommandLine } from '../../../verify/bench/command-line';

test('without options it is the short run, to the terminal alone', () => {
  expect(readCommandLine([])).toEqual({
    jsonFile: null,
    parts: ['budget', 'lists'],
    temporal: 'auto',
    details: false,
  });
});

test('a file for the figures, every part, the details and the server can be asked for', () => {
  const options = readCommandLine(['--json', 'f.json', '--full', '--details', '--temporal', 'postgres']);
  expect(options).toEqual({
    jsonFile: 'f.json',
    parts: [
      'budget',
      'lists',
      'thousand',
      'heavy',
      'neighbours',
      'memory',
      'restart',
      'livekit',
      'voice',
      'turns',
      'interruptions',
      'captions',
      'bodies',
      'shares',
      'away',
      'ends',
      'begun',
      'graphile',
      'priority',
    ],
    temporal: 'postgres',
    details: true,
  });
});

test('parts that are asked for by name run alone, in the usual order', () => {
  expect(readCommandLine(['--only', 'memory,budget', '--full'])?.parts).toEqual(['budget', 'memory']);
  expect(readCommandLine(['--lists'])?.parts).toEqual(['lists']);
});

test.each([
  [['--fast'], '"--fast"'],
  [
    ['--only', 'budget,speed'],
    "--only takes budget, lists, thousand, heavy, neighbours, memory, restart, livekit, voice, turns, interruptions, captions, bodies, shares, away, ends, begun, graphile, priority, not 'speed'",
  ],
  [['--temporal', 'cloud'], "--temporal takes auto, postgres, dev, not 'cloud'"],
])('%j names what it does not know', (args, message) => {
  expect(() => readCommandLine(args)).toThrow(message);
});

test('help asks for no run', () => {
  expect(readCommandLine(['--help', '--full'])).toBeNull();
});
