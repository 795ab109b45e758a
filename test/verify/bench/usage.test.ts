import { pooledUsage } from '../../../verify/bench/usage';
import { usage } from './usage-of';

const cpu = (worker: number, temporalInPostgres: number | null) => ({
  worker,
  temporal: 1,
  api: 1,
  postgres: 1,
  temporalInPostgres,
});

test('times, processor time and statements of several rounds add up', () => {
  const pooled = pooledUsage([
    usage({ elapsedMs: 1000, cpuMs: cpu(10, 5), statements: [['commit', 2]] }),
    usage({
      elapsedMs: 3000,
      cpuMs: cpu(20, 7),
      statements: [
        ['commit', 3],
        ['begin', 1],
      ],
    }),
  ]);
  expect(pooled.elapsedMs).toBe(4000);
  expect(pooled.cpuMs).toEqual({ worker: 30, temporal: 2, api: 2, postgres: 2, temporalInPostgres: 12 });
  expect(pooled.statements).toEqual([
    ['commit', 5],
    ['begin', 1],
  ]);
});

test('what other programs took is weighed by the time of each round', () => {
  const pooled = pooledUsage([
    usage({ elapsedMs: 1000, othersCores: 2 }),
    usage({ elapsedMs: 3000, othersCores: 0 }),
  ]);
  expect(pooled.othersCores).toBe(0.5);
});

test('without databases of Temporal’s there is no processor time of theirs', () => {
  expect(pooledUsage([usage({ cpuMs: cpu(1, null) })]).cpuMs.temporalInPostgres).toBeNull();
});
