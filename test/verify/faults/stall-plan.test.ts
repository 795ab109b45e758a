import { drawStallPlan } from '../../../verify/faults/plan/stall-plan';

const SEEDS = Array.from({ length: 100 }, (_none, index) => index + 1);
const PLANS = SEEDS.map((seed) => drawStallPlan(seed, 'full'));

test('draws the same stall plan for the same seed and different plans for different seeds', () => {
  expect(drawStallPlan(7, 'full')).toEqual(drawStallPlan(7, 'full'));
  expect(new Set(PLANS.map((plan) => JSON.stringify({ ...plan, seed: 0 }))).size).toBe(SEEDS.length);
});

test('plans to stall each process for 2 to 12 s, starve one for 30 s and lock an organization for 5 s', () => {
  for (const { faults, workers } of PLANS) {
    const stalled = faults.flatMap((fault) => (fault.kind === 'stall' ? [fault] : []));
    expect(stalled.map(({ process }) => process).sort()).toEqual([
      ...['api', 'postgres', 'temporal', 'worker'],
      ...(workers === 2 ? ['worker-2'] : []),
    ]);
    for (const { forMs } of stalled) {
      expect(forMs).toBeGreaterThanOrEqual(2_000);
      expect(forMs).toBeLessThanOrEqual(12_000);
    }
    const others = faults.filter(({ kind }) => kind !== 'stall');
    expect(others).toHaveLength(2);
    expect(others).toContainEqual(expect.objectContaining({ kind: 'starve', forMs: 30_000 }));
    expect(others).toContainEqual(expect.objectContaining({ kind: 'lock_organization', forMs: 5_000 }));
  }
});

test('plans each fault after the end of the previous one, and starves every process in some seed', () => {
  for (const { faults } of PLANS) {
    for (const [index, fault] of faults.entries()) {
      const endsMs = 'forMs' in fault ? fault.atMs + fault.forMs : Infinity;
      expect(endsMs).toBeLessThan(faults[index + 1]?.atMs ?? Infinity);
    }
  }
  const starved = PLANS.flatMap(({ faults }) =>
    faults.flatMap((fault) => (fault.kind === 'starve' ? [fault.process] : [])),
  );
  expect([...new Set(starved)].sort()).toEqual(['api', 'postgres', 'temporal', 'worker']);
});

test('plans twenty dispatches in the second before each fault', () => {
  for (const { faults, dispatches } of PLANS) {
    for (const { atMs } of faults) {
      const burst = dispatches.filter((each) => each.atMs <= atMs && each.atMs > atMs - 1_000);
      expect(burst).toHaveLength(20);
    }
    expect(dispatches).toHaveLength(20 * faults.length);
  }
});

test('shifts no clocks', () => {
  for (const { clocks } of PLANS) expect(Object.values(clocks)).toEqual([0, 0, 0]);
});
