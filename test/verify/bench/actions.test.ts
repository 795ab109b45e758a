import { actionsOf, totalActions } from '../../../verify/bench/actions';
import type { HistoryEvent } from '../../../verify/bench/history-event';

const localActivity = (workflowTask: number): HistoryEvent => ({
  markerRecordedEventAttributes: { workflowTaskCompletedEventId: workflowTask as never },
});

test('a child counts two for its start, a workflow of its own one', () => {
  const parentWorkflowExecution = { workflowId: 'campaign', runId: 'run' };
  expect(actionsOf([{ workflowExecutionStartedEventAttributes: { parentWorkflowExecution } }])).toEqual({
    start: 2,
  });
  expect(actionsOf([{ workflowExecutionStartedEventAttributes: {} }])).toEqual({ start: 1 });
});

test('local activities of one workflow task count one together', () => {
  expect(actionsOf([localActivity(4), localActivity(8), localActivity(8)])).toEqual({
    'local activities': 2,
  });
});

test('each attempt of a regular activity counts', () => {
  const started: HistoryEvent = { activityTaskStartedEventAttributes: { attempt: 3 } };
  expect(actionsOf([{ activityTaskScheduledEventAttributes: {} }, started])).toEqual({ activity: 3 });
});

test('signals, timers, search attributes and updates count one each, workflow tasks nothing', () => {
  const events: HistoryEvent[] = [
    { workflowTaskScheduledEventAttributes: {} },
    { workflowTaskStartedEventAttributes: {} },
    { workflowTaskCompletedEventAttributes: {} },
    { workflowExecutionSignaledEventAttributes: { signalName: 'one' } },
    { workflowExecutionSignaledEventAttributes: { signalName: 'two' } },
    { timerStartedEventAttributes: {} },
    { timerCanceledEventAttributes: {} },
    { upsertWorkflowSearchAttributesEventAttributes: {} },
    { workflowExecutionUpdateAcceptedEventAttributes: {} },
    { workflowExecutionCompletedEventAttributes: {} },
  ];
  const actions = actionsOf(events);
  expect(actions).toEqual({ signal: 2, timer: 1, 'search attributes': 1, update: 1 });
  expect(totalActions(actions)).toBe(5);
});

test('the start of a child is not counted with its parent', () => {
  expect(actionsOf([{ startChildWorkflowExecutionInitiatedEventAttributes: {} }])).toEqual({});
});
