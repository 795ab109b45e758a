/** What the checker says of one run. */
/** 9, that no client delays another, shows in virtual time only: the simulation judges it. */
export type InvariantNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10;

export interface InvariantVerdict {
  number: InvariantNumber;
  name: string;
  /** Sentences that name ids, true times and lines of the evidence; empty where it held. */
  violations: string[];
}

export interface Figures {
  /** Outbound calls that the carrier placed. */
  dials: number;
  /** Calls placed under a reference beyond its first. */
  duplicates: number;
  contacts_lost: number;
  /** Calls placed while all lines of the campaign or of the client were taken. */
  cap_overruns: number;
  /** One for each outage that left work waiting: seconds from the start command that ended it to the next dial. */
  start_to_dial_s: number[];
  /** The same outages, from the kill: with the time for which the plan left the process dead. */
  kill_to_dial_s: number[];
}

export interface Verdict {
  invariants: InvariantVerdict[];
  figures: Figures;
}
