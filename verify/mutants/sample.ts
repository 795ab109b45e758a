import { Random } from '../faults/random';
import { AREAS, type Mutant } from './mutant';

/**
 * So many of the candidates, each area by its share, in an order in which every part of the run has all areas. The same seed and candidates give the
 * same sample; a larger count takes the smaller sample's mutants and more, but for the rounding of shares.
 */
export function sampleOf(candidates: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = new Random(seed);
  const ranked = AREAS.flatMap((area) => {
    const mutants = random.shuffled(candidates.filter((mutant) => mutant.area === area));
    return mutants.map((mutant, index) => ({ mutant, rank: (index + 0.5) / mutants.length }));
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
