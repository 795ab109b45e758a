import type { CampaignProgress } from '../../../sdk/typescript/generated';

/** Contacts per hour at the last minute's pace and the average number of calls per finished contact. Null before the first is finished. */
export function contactsPerHour({
  calls_per_minute: calls,
  stats,
  outcomes,
}: Pick<CampaignProgress, 'calls_per_minute' | 'stats' | 'outcomes'>): number | null {
  const finished = stats.completed + stats.failed;
  const ended = outcomes.reduce((sum, outcome) => sum + outcome.calls, 0);
  if (finished === 0 || ended === 0) return null;
  // The quotient can exceed 1, because contacts on a do-not-disturb list need no call and outcomes are counted later.
  return Math.round(calls * 60 * Math.min(1, finished / ended));
}
