/** Times after which something counts as lost. */
export interface Lateness {
  /** For a signal or the start of a workflow. */
  lostMessageMs: number;
  /** For a call without events. */
  silentMs: number;
}

export const AS_A_RULE: Lateness = { lostMessageMs: 3_000, silentMs: 20_000 };
/** After an outage, everything in progress is checked, because any event may have been missed. */
export const AFTER_AN_OUTAGE: Lateness = { lostMessageMs: 0, silentMs: 0 };

/** A call that waits longer for a line is checked for a missing workflow. */
export const LONG_WAIT_MS = 60_000;
/** Counted from the time of the next attempt. An early check is harmless, because the attempts of a delivery never overlap. */
export const OVERDUE_DELIVERY_MS = 10_000;
/** Longer than any call: the highest limit of 60 minutes plus a margin. */
export const LONGEST_CALL_MS = 65 * 60_000;
/** Interval between checks of an unregistered route, whose workflow retries meanwhile. */
export const ROUTE_LOOK_MS = 60_000;
/** Longer than any unanswered caller waits: a carrier announces a caller for 31 s and waits 5 s for each answer. */
export const CALLER_UNCONFIRMED_MS = 75_000;
/** Interval between checks of unsent e-mails. Sending may take a day. */
export const MAIL_LOOK_MS = 5 * 60_000;
/** Interval between checks of a call that a language model is analysing, which may take minutes. */
export const ANALYSIS_LOOK_MS = 60_000;
/** Interval between checks of a suspect workflow. A workflow whose tasks fail gets this time before its call is concluded without it. */
export const SUSPECT_CHECK_MS = 60_000;
/** Time that a running workflow gets to conclude its call, counted from the first repeated signal. */
export const UNCONCLUDED_MS = 5 * 60_000;
/** The same while a language model analyses the call, which takes up to twenty minutes. */
export const UNCONCLUDED_ASKED_MS = 30 * 60_000;
/** Time that a workflow gets to close after its call is concluded or its campaign has ended. Also the interval between these checks. */
export const LEFT_OPEN_MS = 10 * 60_000;
/** After this time, a call is concluded from its events even if the carrier is unreachable. */
export const WITHOUT_CARRIER_MS = 10 * 60_000;
/** Time that an agent gets to leave the room of a call that is over, and that a new room's call gets to be recorded. */
export const LEFT_OVER_MS = 30_000;
/**
 * Interval between checks of a campaign. A survey by its workflow postpones the check, so a terminated workflow is found 70 s after its last
 * survey at the latest.
 */
export const CAMPAIGN_LOOK_MS = 60_000;
/** The same for a campaign that is paused or outside its window. It dials nothing, so a later check is enough. */
export const RESTING_CAMPAIGN_LOOK_MS = 10 * 60_000;
