import { silent } from '../../dev/progress';
import { drawPlan } from '../../dev/faults/plan/plan';
import { runSeed } from '../../dev/faults/run-seed';
import { violationsOf } from '../../dev/faults/scorecard';
import { describeWith } from '../servers/availability';
import { published } from '../servers/published';

/** Start, some twenty seconds of faults, and the end: twice the usual, for a busy machine. */
const RUN_WITHIN_MS = 150_000;

describeWith('temporal', 'a platform among faults, by a plan drawn from a seed', () => {
  test.each([1, 2])(
    'loses, duplicates and overruns nothing: seed %i, shortened',
    async (seed) => {
      const said: string[] = [];
      const result = await runSeed({
        plan: drawPlan(seed, 'short'),
        environment: { ...process.env, TEMPORAL_CLI_PATH: published('TEST_TEMPORAL_CLI') },
        say: (line) => said.push(line),
        onProgress: silent,
        keep: false,
      });
      const violations = violationsOf(result);
      if (violations.length > 0) {
        throw new Error([...violations, ...said, `evidence: ${result.evidenceFolder}`].join('\n'));
      }
      expect(result.verdict.figures.dials).toBeGreaterThan(10);
      expect(result.faults).toBeGreaterThan(4);
    },
    RUN_WITHIN_MS,
  );
});
