import { silent } from '../../dev/progress';
import { drawPlan } from '../../verify/faults/plan/plan';
import { drawReplicaPlan, drawStallPlan } from '../../verify/faults/plan/variants';
import { runSeed } from '../../verify/faults/run-seed';
import { violationsOf } from '../../verify/faults/scorecard';
import { describeWith } from '../servers/availability';
import { published } from '../servers/published';

/** A run takes some twenty seconds of faults plus start and end, and several times as long on a busy machine. */
const RUN_WITHIN_MS = 300_000;

describeWith('temporal', 'a platform under faults from a seeded plan', () => {
  test.each([
    { plan: drawPlan(1, 'short'), faults: 5 },
    { plan: drawPlan(2, 'short'), faults: 5 },
    { plan: drawStallPlan(1, 'short'), faults: 2 },
    { plan: drawReplicaPlan(1, 'short'), faults: 9 },
  ])(
    'loses nothing, repeats nothing, exceeds no limit and leaves no workflow behind: shortened plan %#',
    async ({ plan, faults }) => {
      const said: string[] = [];
      const result = await runSeed({
        plan,
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
      expect(result.faults).toBeGreaterThanOrEqual(faults);
    },
    RUN_WITHIN_MS,
  );
});
