import type { WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** One event as the server keeps it; exactly one of its attributes is there, which shows its kind. */
export type HistoryEvent = NonNullable<History['events']>[number];

/** Milliseconds since the epoch, with their fraction. */
export function instantOf({ eventTime }: HistoryEvent): number {
  if (eventTime == null) return NaN;
  return Number(eventTime.seconds) * 1000 + (eventTime.nanos ?? 0) / 1e6;
}
