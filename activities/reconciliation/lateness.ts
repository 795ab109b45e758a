/** How long something may be under way before it counts as lost. */
export interface Lateness {
  /** A signal, or the start of a workflow. */
  lostMessageMs: number;
  /** A call that should be heard of: it rings, talks, or has ended. */
  silentMs: number;
}

export const AS_A_RULE: Lateness = { lostMessageMs: 3_000, silentMs: 20_000 };
/** After an outage whatever is under way may have been missed: all of it is looked at. */
export const AFTER_AN_OUTAGE: Lateness = { lostMessageMs: 0, silentMs: 0 };

/** Waiting for a line is no fault; after this long it is worth a look whether the workflow is still there. */
export const LONG_WAIT_MS = 60_000;
/** Beyond the time of a delivery's next attempt. Sooner does no harm: whoever sees to a delivery, its attempts are made in turn. */
export const OVERDUE_DELIVERY_MS = 10_000;
/** No call rings and talks for longer: 60 minutes at most, and a margin. */
export const LONGEST_CALL_MS = 65 * 60_000;
/** Between two looks at e-mails that a mail server does not take: sending may go on for a day. */
export const MAIL_LOOK_MS = 5 * 60_000;
