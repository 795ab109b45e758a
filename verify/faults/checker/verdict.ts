/** Invariant 9, that no organization delays another, can be checked only in virtual time, by the simulation. */
export type InvariantNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10;

export interface InvariantVerdict {
  number: InvariantNumber;
  name: string;
  /** Sentences with ids, true times and line numbers of the evidence. Empty if the invariant holds. */
  violations: string[];
}

export interface Figures {
  /** Outbound calls that the carrier placed. */
  dials: number;
  /** Calls placed again under a reference that was already used. */
  duplicates: number;
  contacts_lost: number;
  /** Calls placed while all lines of the campaign or organization were in use. */
  cap_overruns: number;
  /** For each outage during which contacts were due: seconds from the start command that ended it to the next dial. */
  start_to_dial_s: number[];
  /** For the same outages: seconds from the kill, including the planned downtime. */
  kill_to_dial_s: number[];
}

export interface Verdict {
  invariants: InvariantVerdict[];
  figures: Figures;
}
