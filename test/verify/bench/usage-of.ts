import type { Usage } from '../../../verify/bench/usage';

export const usage = (given: Partial<Usage>): Usage => ({
  elapsedMs: 1000,
  cpuMs: { worker: 0, temporal: 0, api: 0, postgres: 0, temporalInPostgres: null },
  restCpuMs: 0,
  statements: [],
  othersCores: 0,
  load: 0,
  ...given,
});
