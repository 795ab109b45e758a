import { createHash } from 'node:crypto';
import { AREAS, type Mutant } from './mutant';

/**
 * Draws a sample in proportion to the sizes of the areas, and mixes their order. The choice depends only on the seed and the changed line:
 * edits elsewhere don't change the sample, and a larger count extends it.
 */
export function sampleOf(candidates: readonly Mutant[], count: number, seed: number): Mutant[] {
  const ranked = AREAS.flatMap((area) => {
    const mutants = candidates
      .filter((mutant) => mutant.area === area)
      .map((mutant) => ({ mutant, draw: drawOf(mutant, seed) }))
      .sort((one, other) => one.draw.localeCompare(other.draw));
    return mutants.map(({ mutant }, index) => ({ mutant, rank: (index + 0.5) / mutants.length }));
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

const drawOf = ({ file, code, column, change }: Mutant, seed: number): string =>
  createHash('sha256')
    .update(JSON.stringify([seed, file, code, column, change]))
    .digest('hex');
