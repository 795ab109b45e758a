import type { CampaignProgress } from '../../../sdk/typescript/generated';

/** Contacts that are finished in an hour, if calls go on as in the last minute and each contact takes as many as those before. Null before one is finished. */
export function contactsPerHour({
  calls_per_minute: calls,
  stats,
  outcomes,
}: Pick<CampaignProgress, 'calls_per_minute' | 'stats' | 'outcomes'>): number | null {
  const finished = stats.completed + stats.failed;
  const ended = outcomes.reduce((sum, outcome) => sum + outcome.calls, 0);
  if (finished === 0 || ended === 0) return null;
  // Contacts on a do-not-disturb list are finished without a call, and outcomes are counted later than contacts.
  return Math.round(calls * 60 * Math.min(1, finished / ended));
}
