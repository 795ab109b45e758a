/** The checker's verdict on one run. */
/** Invariant 9, that no organization delays another, can only be judged in virtual time, by the simulation. */
export type InvariantNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10;

export interface InvariantVerdict {
  number: InvariantNumber;
  name: string;
  /** Sentences with ids, true times and line numbers of the evidence. Empty if the invariant held. */
  violations: string[];
}

export interface Figures {
  /** Outbound calls that the carrier placed. */
  dials: number;
  /** Calls placed again under the same reference. */
  duplicates: number;
  contacts_lost: number;
  /** Calls placed while all lines of the campaign or organization were in use. */
  cap_overruns: number;
  /** For each outage that left work waiting: seconds from the start command that ended it to the next dial. */
  start_to_dial_s: number[];
  /** For the same outages: seconds from the kill, including the downtime of the plan. */
  kill_to_dial_s: number[];
}

export interface Verdict {
  invariants: InvariantVerdict[];
  figures: Figures;
}
