import { compareWithOracle, oraclePython } from '../../../verify/rules/compare';

test('answers twenty thousand questions as the Python oracle does', async () => {
  const python = await oraclePython(() => undefined);
  const { compared, skipped, differences } = await compareWithOracle({ python, questions: 20_000, seed: 1 });
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(18_000);
  expect(compared + skipped).toBe(20_000);
}, 900_000);
