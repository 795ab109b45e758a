import type { CampaignProgress } from '../../../sdk/typescript/generated';

/**
 * Estimates contacts per hour from the last minute's calls and the average number of calls per finished contact. Returns null until a
 * contact is finished.
 */
export function contactsPerHour({
  calls_per_minute: calls,
  stats,
  outcomes,
}: Pick<CampaignProgress, 'calls_per_minute' | 'stats' | 'outcomes'>): number | null {
  const finished = stats.completed + stats.failed;
  const ended = outcomes.reduce((sum, outcome) => sum + outcome.calls, 0);
  if (finished === 0 || ended === 0) return null;
  // `finished / ended` can exceed 1, because contacts on a do-not-disturb list need no call and outcomes are counted with a delay.
  return Math.round(calls * 60 * Math.min(1, finished / ended));
}
