import { createHash } from 'node:crypto';
import { AREAS, type Mutant } from './mutant';

/**
 * So many of the candidates, each area by its share, in an order in which every part of the run has all areas. Which ones depends on the seed and on
 * the line that each changes, not on the others: an edit elsewhere leaves the sample as it is, and a larger count takes the smaller sample's mutants
 * and more.
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
