/** How long something may be under way before it counts as lost. */
export interface Lateness {
  /** A signal, or the start of a workflow. */
  lostMessageMs: number;
  /** A call of which events should come: it rings, talks, or has ended. */
  silentMs: number;
}

export const AS_A_RULE: Lateness = { lostMessageMs: 3_000, silentMs: 20_000 };
/** After an outage whatever is under way may have been missed: all of it is looked at. */
export const AFTER_AN_OUTAGE: Lateness = { lostMessageMs: 0, silentMs: 0 };

/** Waiting for a line is no fault; after this long it is worth a look whether the workflow is still there. */
export const LONG_WAIT_MS = 60_000;
/** Beyond the time of a delivery's next attempt. Sooner does no harm: the attempts of a delivery are made one after the other, in any process. */
export const OVERDUE_DELIVERY_MS = 10_000;
/** No call rings and talks for longer: 60 minutes at most, and a margin. */
export const LONGEST_CALL_MS = 65 * 60_000;
/** Between two looks at routes that a carrier does not take: it is asked all the while. */
export const ROUTE_LOOK_MS = 60_000;
/** A caller is announced for 31 s at most, and each time our answer is waited for for 5 s: longer nobody stays unanswered. */
export const CALLER_UNCONFIRMED_MS = 75_000;
/** Between two looks at e-mails that a mail server does not take: sending may go on for a day. */
export const MAIL_LOOK_MS = 5 * 60_000;
/** Between two looks at a call that a language model is asked about: that may take minutes. */
export const ANALYSIS_LOOK_MS = 60_000;
/** Between two looks at a workflow that is doubted, and how long one whose tasks fail may recover before its call is concluded without it. */
export const DOUBT_LOOK_MS = 60_000;
/** How long a workflow that runs may leave its call unconcluded, counted from the first signal that repeats the end. */
export const UNCONCLUDED_MS = 5 * 60_000;
/** The same while a language model is asked: for twenty minutes at most. */
export const UNCONCLUDED_ASKED_MS = 30 * 60_000;
/** How long a workflow may go on after its call is concluded or its campaign has ended, and between two looks at all that are open. */
export const LEFT_OPEN_MS = 10 * 60_000;
/** After so long a call is concluded by what its events brought, whether or not the carrier can be asked for the rest. */
export const WITHOUT_CARRIER_MS = 10 * 60_000;
/** What an agent may take to leave the room of a call that is over, and a call to be known of that has a room already. */
export const LEFT_OVER_MS = 30_000;
/**
 * A campaign's workflow that dials surveys its rows again and again, which puts off the next look. With the schedule's ten seconds a
 * terminated one is found 70 s after its last survey at the latest, and within seconds once it does not answer a wake-up.
 */
export const CAMPAIGN_LOOK_MS = 60_000;
/** One that is paused or out of its window sleeps: nothing is dialled in the meantime, so it may be found late. */
export const RESTING_CAMPAIGN_LOOK_MS = 10 * 60_000;
