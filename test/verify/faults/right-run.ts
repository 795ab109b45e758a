import type { CampaignRecord } from '../../../verify/faults/checker/evidence';
import { RunStory } from './run-story';

/**
 * A correct run with two lines and a minute between dials. One of its three contacts is reached on the second dial, one is never reached,
 * and there is a dispatch.
 */
export function rightRun(changes: Partial<CampaignRecord> = {}): RunStory {
  return new RunStory()
    .campaign([2, 3, 4], changes)
    .call(2, { fromS: 1, toS: 11 })
    .call(3, { fromS: 20, toS: 30, answered: false })
    .call(4, { fromS: 40, toS: 45, answered: false, endReason: 'busy' })
    .dispatch('dispatched-1', 60)
    .call(3, { fromS: 100, toS: 110, attempt: 2 })
    .call(4, { fromS: 120, toS: 130, attempt: 2, answered: false })
    .counted();
}

/** Returns a correct run with one change. */
export function but(change: (story: RunStory) => unknown): RunStory {
  const story = rightRun();
  change(story);
  return story;
}

/** Returns the numbers of the violated invariants. */
export const violated = (story: RunStory): number[] => Object.keys(story.violations()).map(Number);
