import {
  REPORTED_STATUSES,
  CAMPAIGN_STATUSES,
  isNotified,
  isFinal,
  statsOf,
} from '../../domain/campaign-status';

test('reports the four statuses that API clients know', () => {
  expect(CAMPAIGN_STATUSES.filter(isNotified)).toEqual([...REPORTED_STATUSES]);
  expect([...REPORTED_STATUSES]).toEqual(['active', 'paused', 'completed', 'cancelled']);
});

test('treats completed and cancelled as final', () => {
  expect(CAMPAIGN_STATUSES.filter(isFinal)).toEqual(['completed', 'cancelled']);
});

test.each([
  { total: 10, completed: 0, inProgress: 0, failed: 0 },
  { total: 10, completed: 3, inProgress: 2, failed: 1 },
  { total: 10, completed: 6, inProgress: 0, failed: 4 },
])('returns stats that add up to the total: %j', (counts) => {
  const stats = statsOf(counts);
  expect(stats).toEqual({
    total_calls: counts.total,
    completed: counts.completed,
    pending: counts.total - counts.completed - counts.inProgress - counts.failed,
    in_progress: counts.inProgress,
    failed: counts.failed,
  });
  expect(stats.completed + stats.pending + stats.in_progress + stats.failed).toBe(stats.total_calls);
});
