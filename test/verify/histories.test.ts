import { historyText } from '../../verify/histories/recording';
import { hasBegun } from '../../verify/histories/running';
import { newestHistory } from '../workflows/support/stored-histories';

test('treats a run that is waiting for its first workflow task as not started', () => {
  const { events } = newestHistory('campaign-completed-run-2').history;
  expect(hasBegun({ events: events.slice(0, 1) })).toBe(false);
  expect(hasBegun({ events: events.slice(0, 2) })).toBe(true);
});

test('omits the host and its file paths from a recorded history, but keeps failure messages', () => {
  const identity = '4711@a-host.example';
  const lastFailure = { message: 'no answer', stackTrace: 'at /home/somebody/worker.js:1' };
  const activityTaskStartedEventAttributes = { scheduledEventId: 1, identity, lastFailure };
  const text = historyText({
    events: [{ eventId: 1, eventType: 11, activityTaskStartedEventAttributes }],
  } as any);
  expect(text).not.toMatch(/a-host|4711|somebody/);
  expect(text).toContain('no answer');
});
