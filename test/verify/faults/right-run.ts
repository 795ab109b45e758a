import type { CampaignRecord } from '../../../verify/faults/checker/evidence';
import { RunStory } from './run-story';

/**
 * A sound run with two lines and a minute between dials: three contacts, of which one is reached on the second dial and one never, and a
 * dispatch.
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

/** Returns a sound run with one change. */
export function but(change: (story: RunStory) => unknown): RunStory {
  const story = rightRun();
  change(story);
  return story;
}

/** Numbers of the violated invariants. */
export const violated = (story: RunStory): number[] => Object.keys(story.violations()).map(Number);
