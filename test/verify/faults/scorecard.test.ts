import { readCommandLine } from '../../../verify/faults/command-line';
import type { SeedResult } from '../../../verify/faults/run-seed';
import { scorecard, scorecardTable, spread } from '../../../verify/faults/scorecard';

const result = (seed: number, restarts: number[], violations: string[] = []): SeedResult => ({
  seed,
  verdict: {
    invariants: [
      { number: 1, name: 'dialled once', violations },
      { number: 2, name: 'within lines', violations: [] },
    ],
    figures: {
      dials: 50,
      duplicates: violations.length,
      contacts_lost: 0,
      cap_overruns: 1,
      start_to_dial_s: restarts,
      kill_to_dial_s: restarts.map((seconds) => seconds + 2),
    },
  },
  faults: 11,
  durationS: 60.123,
  evidenceFolder: null,
});

test('the scorecard adds runs up, names violations by their invariant and spreads restarts over all runs', () => {
  const card = scorecard([result(1, [0.5, 1.5, 0.25]), result(2, [], ['call x twice'])]);
  expect(card.seeds[1]).toEqual({
    seed: 2,
    dials: 50,
    duplicates: 1,
    contacts_lost: 0,
    cap_overruns: 1,
    start_to_dial_s: { max: null, p50: null, n: 0 },
    kill_to_dial_s: { max: null, p50: null, n: 0 },
    violations: ['1. dialled once: call x twice'],
    duration_s: 60.12,
    faults: 11,
  });
  expect(card.totals).toEqual({
    seeds: 2,
    dials: 100,
    duplicates: 1,
    contacts_lost: 0,
    cap_overruns: 2,
    start_to_dial_s: { max: 1.5, p50: 0.5, n: 3 },
    kill_to_dial_s: { max: 3.5, p50: 2.5, n: 3 },
    violations: 1,
    duration_s: 120.24,
    faults: 22,
  });
});

test('the table has a line for each run and one for all', () => {
  const lines = scorecardTable(scorecard([result(1, [0.5]), result(2, [])])).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[3]).toMatch(/^all 2 +22 +100 /);
});

test('the middle of an even number of values is the lower of the two', () => {
  expect(spread([4, 1, 3, 2])).toEqual({ max: 4, p50: 2, n: 4 });
});

describe('the command line', () => {
  const usual = {
    seeds: [1, 2, 3, 4, 5],
    alone: false,
    jsonFile: null,
    keep: false,
    planted: false,
    telephony: 'http',
    stalls: false,
    replicas: false,
  };

  test.each<[string[], Partial<ReturnType<typeof readCommandLine>>]>([
    [[], {}],
    [['--seeds', '2', '--json', 'x.json'], { seeds: [1, 2], jsonFile: 'x.json' }],
    [['--seed', '17', '--keep'], { seeds: [17], alone: true, keep: true }],
    [['--planted'], { planted: true }],
    [['--telephony', 'livekit'], { telephony: 'livekit' }],
    [['--stalls', '--seeds', '2'], { stalls: true, seeds: [1, 2] }],
    [['--replicas', '--seeds', '4-6'], { replicas: true, seeds: [4, 5, 6] }],
    [['--replicas', '--telephony', 'livekit'], { replicas: true, telephony: 'livekit' }],
  ])('%p', (args, expected) => {
    expect(readCommandLine(args)).toEqual({ ...usual, ...expected });
  });

  test.each([
    [['--seeds', '0']],
    [['--seed', 'x']],
    [['--seeds', '6-4']],
    [['--seeds', '1-2-3']],
    [['--seeds', '1-']],
    [['--seed', '1', '--seeds', '2']],
    [['--other']],
    [['--telephony', 'sip']],
    [['--planted', '--telephony', 'livekit']],
    [['--stalls', '--planted']],
    [['--replicas', '--planted']],
    [['--replicas', '--stalls']],
    [['--stalls', '--telephony', 'livekit']],
  ])('%p is not understood', (args) =>
    expect(() => readCommandLine(args)).toThrow(expect.objectContaining({ name: 'UsageFault' })),
  );

  test('asks for help', () => expect(readCommandLine(['--help'])).toBeNull());
});
