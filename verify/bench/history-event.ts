import type { WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** An event as the server stores it. Exactly one of its attributes is set and determines its type. */
export type HistoryEvent = NonNullable<History['events']>[number];

/** Returns milliseconds since the epoch, with a fraction. */
export function instantOf({ eventTime }: HistoryEvent): number {
  if (eventTime == null) return NaN;
  return Number(eventTime.seconds) * 1000 + (eventTime.nanos ?? 0) / 1e6;
}
