/** How long something may be under way before it counts as lost. */

/** A signal, or the start of a workflow. */
export const LOST_MESSAGE_MS = 3_000;
/** A call that should be heard of: it rings, talks, or has ended. */
export const SILENT_MS = 20_000;
/** Waiting for a line is no fault; after this long it is worth a look whether the workflow is still there. */
export const LONG_WAIT_MS = 60_000;
/** Beyond the time of a delivery's next attempt. */
export const OVERDUE_DELIVERY_MS = 30_000;
/** No call rings and talks for longer: 60 minutes at most, and a margin. */
export const LONGEST_CALL_MS = 65 * 60_000;
