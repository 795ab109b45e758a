/** Counts the billed actions of a workflow run from its history, according to Temporal Cloud's price list. */
import type { HistoryEvent } from './history-event';

export type ActionKind =
  'start' | 'signal' | 'timer' | 'local activities' | 'activity' | 'search attributes' | 'update';

export type Actions = Partial<Record<ActionKind, number>>;

/**
 * Counts the actions of a run. The start of a child counts as two, in the child's history. Local activities count as one for each workflow
 * task that records any, and a regular activity counts once for each attempt.
 */
export function actionsOf(events: readonly HistoryEvent[]): Actions {
  const actions: Actions = {};
  const add = (kind: ActionKind, count: number) => (actions[kind] = (actions[kind] ?? 0) + count);
  const recordingTasks = new Set<string>();
  for (const event of events) {
    if (event.markerRecordedEventAttributes) {
      recordingTasks.add(String(event.markerRecordedEventAttributes.workflowTaskCompletedEventId));
      continue;
    }
    const action = actionOf(event);
    if (action !== null) add(...action);
  }
  if (recordingTasks.size > 0) add('local activities', recordingTasks.size);
  return actions;
}

function actionOf(event: HistoryEvent): [ActionKind, number] | null {
  const started = event.workflowExecutionStartedEventAttributes;
  if (started) return ['start', started.parentWorkflowExecution ? 2 : 1];
  if (event.workflowExecutionSignaledEventAttributes) return ['signal', 1];
  if (event.timerStartedEventAttributes) return ['timer', 1];
  // A single event covers all attempts of an activity and contains the number of the last one.
  const activity = event.activityTaskStartedEventAttributes;
  if (activity) return ['activity', activity.attempt ?? 1];
  if (event.upsertWorkflowSearchAttributesEventAttributes) return ['search attributes', 1];
  if (event.workflowExecutionUpdateAcceptedEventAttributes) return ['update', 1];
  return null;
}

export const totalActions = (actions: Actions): number =>
  Object.values(actions).reduce((sum, count) => sum + count, 0);
