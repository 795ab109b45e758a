/** Input and result of a dial. */
import type { CallStatus } from '../../domain/call-outcome';
import type { Preparation, Prepared } from './preparing';

export type DialStep =
  /** The carrier has the call. Its end must be reported within `deadlineMs`. `isFound`: an earlier dial placed it. */
  | { kind: 'placed'; deadlineMs: number; isFound?: true }
  /** The call is over. `callStatus` is null if the workflow still has to end it. */
  | { kind: 'over'; callStatus: CallStatus | null }
  | { kind: 'noLine' }
  /** The rules don't allow the callback before `at`. */
  | { kind: 'notYet'; at: number }
  /** The trunk's dial rate or this worker's limit of concurrent dials requires a wait. */
  | { kind: 'paced'; waitMs: number }
  /** The agent or the DND registry is slow. Wait in a regular activity, then dial again with its result. */
  | { kind: 'unprepared'; of: Preparation }
  /** The outcome of the request is unknown. Dial again to look the call up. */
  | { kind: 'unknown'; dialAgainAfterMs: number }
  | Unavailable;

/** The call was not placed. Retry later. */
export interface Unavailable {
  kind: 'unavailable';
  retryAfterMs: number | null;
  /** How the call ends if it is still `unavailable` after a minute. */
  endReason: 'carrier_unavailable' | 'dnd_unverified';
  /** The SIP bridge's machine is out of CPU time. */
  isBridgeBusy?: true;
  /** When the first of these consecutive results was returned. */
  since: number;
}

export interface DialInput {
  callId: string;
  now: number;
  /** The call must end without a dial. */
  stop?: boolean;
  /** When the wait for a line must end. Null or absent if the call sets no limit. */
  lineBy?: number | null;
  /** `since` of the previous result, if that was `unavailable`. */
  unavailableSince?: number | null;
  /** Results of preparations since the previous dial. */
  prepared?: Prepared;
  /** The dial runs outside the call's workflow (`direct-dials.ts`). It leaves a call that another run dials to that run. */
  isDirect?: boolean;
}
