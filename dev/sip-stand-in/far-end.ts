/**
 * Behaviour of phones and trunks that occurs only behind a real SIP bridge, by the number's last digits. The simulator treats these numbers
 * like 00.
 */

export type FarEnd =
  | 'usual'
  /** Answers, but sends no audio packets. */
  | 'silent'
  /** The trunk doesn't respond at all, not even with 100. */
  | 'dead_trunk'
  /** The trunk responds with 100 and then sends nothing. */
  | 'only_trying'
  /** Rings until it is cancelled. Its 200 crosses the CANCEL, and the bridge hangs up without reporting the answer. */
  | 'crossing_cancel'
  /** Rings until it is cancelled. Its 200 arrives just before, and the bridge reports that the call was cut short. */
  | 'answered_too_late'
  /** The bridge's CPU is exhausted at the first request. */
  | 'full_bridge'
  /** As the target of a transfer: the trunk doesn't support REFER. */
  | 'no_refer'
  /** As the target of a transfer: the trunk accepts the REFER, but sends no NOTIFY. */
  | 'no_notify'
  /** As a caller: hangs up before the call is answered. */
  | 'gives_up';

const BY_ENDING: Readonly<Record<string, FarEnd>> = {
  60: 'silent',
  61: 'dead_trunk',
  62: 'only_trying',
  63: 'crossing_cancel',
  64: 'answered_too_late',
  65: 'full_bridge',
  66: 'no_refer',
  67: 'no_notify',
  68: 'gives_up',
};

export const farEndOf = (number: string): FarEnd => BY_ENDING[number.slice(-2)] ?? 'usual';
