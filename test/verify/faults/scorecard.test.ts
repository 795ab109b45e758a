import type { SeedResult } from '../../../verify/faults/run-seed';
import { scorecard } from '../../../verify/faults/scorecard';

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

test('adds up runs, lists violations by invariant and summarizes the restarts of all runs', () => {
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
