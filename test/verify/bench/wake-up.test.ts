import type { HistoryEvent } from '../../../verify/bench/history-event';
import { stagesOf, wakeUpOf } from '../../../verify/bench/wake-up';

const eventTime = (ms: number) => ({ seconds: Math.floor(ms / 1000) as never, nanos: (ms % 1000) * 1e6 });
const taskStarted = (ms: number): HistoryEvent => ({
  eventTime: eventTime(ms),
  workflowTaskStartedEventAttributes: {},
});
const signalled = (ms: number, signalName: string): HistoryEvent => ({
  eventTime: eventTime(ms),
  workflowExecutionSignaledEventAttributes: { signalName },
});

test('takes the first workflow task after the signal as the wake-up', () => {
  const events = [taskStarted(1000), signalled(1500, 'granted'), taskStarted(1510), taskStarted(1900)];
  expect(wakeUpOf(events, 'granted')).toEqual({ grantedAtMs: 1500, startedAtMs: 1510 });
});

test('returns no wake-up if there is no signal or no later workflow task', () => {
  expect(wakeUpOf([taskStarted(1000), signalled(1500, 'ended'), taskStarted(1510)], 'granted')).toBeNull();
  expect(wakeUpOf([taskStarted(1000), signalled(1500, 'granted')], 'granted')).toBeNull();
});

test("splits a line's idle time into stages", () => {
  const call = (grantedAtMs: number, startedAtMs: number, requestedAtMs: number) => ({
    wakeUp: { grantedAtMs, startedAtMs },
    requestedAtMs,
  });
  const fillsTheLine = call(0, 5, 10);
  const stages = stagesOf([call(2010, 2014, 2030), fillsTheLine], [2000], 1);
  expect(stages).toEqual({ handOverMs: [10], pickUpMs: [4], dialMs: [16] });
});
