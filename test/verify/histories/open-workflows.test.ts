import { hasBegun } from '../../../verify/histories/running/open-workflows';
import { newestHistory } from '../../workflows/support/stored-histories';

test('treats a run that waits for its first workflow task as not begun', () => {
  const { events } = newestHistory('campaign-completed-run-2').history;
  const isScheduled = (event: object) => 'workflowTaskScheduledEventAttributes' in event;
  expect(isScheduled(events[1])).toBe(true);
  expect(hasBegun({ events: events.slice(0, 1) })).toBe(false);
  expect(hasBegun({ events: events.slice(0, 2) })).toBe(true);
});
