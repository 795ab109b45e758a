/**
 * Builds histories of a stalled worker. A task with local activities times out, a signal arrives, and the same worker completes the next
 * attempt as if it hadn't seen the signal (`docs/decisions/0023-signals-only-wake.md`).
 */
import type { StoredHistory } from './stored-histories';

/** A history event as JSON. */
type Event = any;
export type Variant = Pick<StoredHistory, 'name' | 'history'> & {
  /** Local activities that the task's completion contains. */
  activities: string[];
};

const LOCAL_ACTIVITY = 'core_local_activity';
/** Fields that contain the id of an earlier event. */
const REFERENCE = /(scheduled|started|initiated|TaskCompleted)EventId$/i;

interface Task {
  /** The events before the task started: its scheduled event, and events that arrived after that. */
  before: Event[];
  scheduled: Event;
  started: Event;
  completed: Event;
  commands: Event[];
}

const typeOf = (event: Event): string => (event?.eventType ?? '').replace('EVENT_TYPE_', '');
const isMarker = (event: Event): boolean =>
  event?.markerRecordedEventAttributes?.markerName === LOCAL_ACTIVITY;
const activityOf = (marker: Event): string => {
  const [{ data }] = marker.markerRecordedEventAttributes.details.data.payloads;
  return JSON.parse(Buffer.from(data, 'base64').toString('utf8')).activity_type;
};
const resultOf = (marker: Event): string => {
  const [result] = marker.markerRecordedEventAttributes.details.result?.payloads ?? [];
  return Buffer.from(result?.data ?? '', 'base64')
    .toString('utf8')
    .replace(/\d{4,}|[0-9a-f-]{36}/g, '');
};
const isEndOfRun = (event: Event): boolean =>
  /^WORKFLOW_EXECUTION_(COMPLETED|FAILED|CANCELED|CONTINUED_AS_NEW)$/.test(typeOf(event));

function tasksOf(events: Event[]): Task[] {
  return events.flatMap((scheduled, index) => {
    if (typeOf(scheduled) !== 'WORKFLOW_TASK_SCHEDULED') return [];
    const startedAt = events.findIndex(
      (event, at) => at > index && typeOf(event) === 'WORKFLOW_TASK_STARTED',
    );
    if (startedAt === -1) return [];
    const [started, completed] = events.slice(startedAt, startedAt + 2);
    if (typeOf(completed) !== 'WORKFLOW_TASK_COMPLETED') return [];
    const ofTask = (event: Event) =>
      Object.values<any>(event).some((value) => value?.workflowTaskCompletedEventId === completed.eventId);
    const before = events.slice(0, startedAt);
    return [{ before, scheduled, started, completed, commands: events.filter(ofTask) }];
  });
}

/** Returns the possible completions by a worker that was running local activities: all commands, or those before one of the activities. */
function answersOf({ commands }: Task): Event[][] {
  const cuts = commands.flatMap((command, at) =>
    isMarker(command) && at > 0 ? [commands.slice(0, at)] : [],
  );
  const all = isEndOfRun(commands.at(-1)) ? [] : [commands];
  return [...cuts, ...all].filter((answer) => answer.some(isMarker));
}

/** Returns the history up to a task, its first attempt with the timeout, the signals, and the second attempt with its completion. */
function stalled(task: Task, signals: readonly Event[], answer: Event[]): Event[] {
  const { before, scheduled, started, completed } = task;
  const timedOut = {
    eventTime: started.eventTime,
    eventType: 'EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT',
    workflowTaskTimedOutEventAttributes: {
      scheduledEventId: scheduled.eventId,
      startedEventId: started.eventId,
      timeoutType: 'TIMEOUT_TYPE_START_TO_CLOSE',
    },
  };
  const next = { ...scheduled, eventTime: completed.eventTime };
  const parts = [
    ...before,
    started,
    timedOut,
    ...signals.map((signal) => ({ ...signal, eventTime: started.eventTime })),
    scheduled,
    started,
    completed,
    ...answer,
    next,
    { ...started, eventTime: completed.eventTime },
  ];
  return renumbered(parts);
}

/** Renumbers the events in order. Each reference points to the last earlier event that had its id. */
function renumbered(events: Event[]): Event[] {
  const ids = new Map<string, string>();
  return events.map((event, index) => {
    const eventId = String(index + 1);
    const refer = (key: string, value: unknown) =>
      REFERENCE.test(key) && typeof value === 'string' ? (ids.get(value) ?? value) : value;
    const moved = JSON.parse(JSON.stringify(event), refer);
    if (event.eventId !== undefined) ids.set(event.eventId, eventId);
    return { ...moved, eventId };
  });
}

const signal = (signalName: string, input: object = {}): Event => ({
  eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED',
  workflowExecutionSignaledEventAttributes: { signalName, input, identity: 'recorder', header: {} },
});
const json = (value: unknown) => ({
  payloads: [
    {
      metadata: { encoding: Buffer.from('json/plain').toString('base64') },
      data: Buffer.from(JSON.stringify(value)).toString('base64'),
    },
  ],
});

const CANCELLED: Event = {
  eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED',
  workflowExecutionCancelRequestedEventAttributes: { identity: 'recorder' },
};
const SIGNALS: Record<string, Record<string, Event[]>> = {
  callWorkflow: {
    lineGranted: [signal('lineGranted')],
    hangUp: [signal('hangUp')],
    callEnded: [signal('callEnded', json({ callStatus: 'completed' }))],
    // Two consecutive signals that a cached run never sees.
    'lineGranted and callEnded': [
      signal('lineGranted'),
      signal('callEnded', json({ callStatus: 'completed' })),
    ],
  },
  campaignWorkflow: { refill: [signal('refill')] },
};

/** Returns the timers that are open when the task starts, and fire during its local activities. */
function firings({ before }: Task): Record<string, Event[]> {
  const fired = new Set(
    before.flatMap(({ timerFiredEventAttributes: timer }) => (timer ? [timer.timerId] : [])),
  );
  return Object.fromEntries(
    before.flatMap(({ eventId, timerStartedEventAttributes: timer }) => {
      if (!timer || fired.has(timer.timerId)) return [];
      const { timerId } = timer;
      const firing = {
        eventType: 'EVENT_TYPE_TIMER_FIRED',
        timerFiredEventAttributes: { timerId, startedEventId: eventId },
      };
      return [[`timer ${timerId}`, [firing]]];
    }),
  );
}

/** Identifies a run by the order of its events and the results of its local activities, without ids and times. */
const courseOf = (events: Event[]): string =>
  events
    .map((event) =>
      [
        typeOf(event),
        isMarker(event) ? activityOf(event) + resultOf(event) : '',
        event.workflowExecutionSignaledEventAttributes?.signalName,
      ].join(),
    )
    .join(' ');

/**
 * Returns variants of each task that ran local activities: with each timer that may fire, each signal that its workflow may get and an
 * operator's cancellation, or with none of these. Returns one variant per course.
 */
export function stalledVariants(
  histories: StoredHistory[],
  { signalled }: { signalled: boolean },
): Variant[] {
  const variants = histories.flatMap(({ name, history: { events } }) => {
    const type = events[0].workflowExecutionStartedEventAttributes.workflowType.name as string;
    const between = (task: Task): [string, Event[]][] =>
      signalled
        ? Object.entries({ ...SIGNALS[type], ...firings(task), cancelled: [CANCELLED] })
        : [['no signal', []]];
    return tasksOf(events).flatMap((task) =>
      answersOf(task).flatMap((answer) =>
        between(task).map(([what, signals]) => ({
          name: `${name}: ${what} before the ${answer.length} of task ${task.scheduled.eventId}`,
          history: { events: stalled(task, signals, answer) },
          activities: answer.filter(isMarker).map(activityOf),
        })),
      ),
    );
  });
  return [...new Map(variants.map((variant) => [courseOf(variant.history.events), variant])).values()];
}
