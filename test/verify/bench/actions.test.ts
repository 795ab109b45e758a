import { actionsOf, totalActions } from '../../../verify/bench/actions';
import type { HistoryEvent } from '../../../verify/bench/history-event';

const localActivity = (workflowTask: number): HistoryEvent => ({
  markerRecordedEventAttributes: { workflowTaskCompletedEventId: workflowTask as never },
});

test('counts two actions for starting a child workflow and one for any other workflow', () => {
  const parentWorkflowExecution = { workflowId: 'campaign', runId: 'run' };
  expect(actionsOf([{ workflowExecutionStartedEventAttributes: { parentWorkflowExecution } }])).toEqual({
    start: 2,
  });
  expect(actionsOf([{ workflowExecutionStartedEventAttributes: {} }])).toEqual({ start: 1 });
});

test('counts one action for all local activities of a workflow task', () => {
  expect(actionsOf([localActivity(4), localActivity(8), localActivity(8)])).toEqual({
    'local activities': 2,
  });
});

test('counts each attempt of a regular activity', () => {
  const started: HistoryEvent = { activityTaskStartedEventAttributes: { attempt: 3 } };
  expect(actionsOf([{ activityTaskScheduledEventAttributes: {} }, started])).toEqual({ activity: 3 });
});

test('counts one action for each signal, timer, search attribute and update, and none for workflow tasks', () => {
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

test("doesn't count the start of a child in its parent's history", () => {
  expect(actionsOf([{ startChildWorkflowExecutionInitiatedEventAttributes: {} }])).toEqual({});
});
