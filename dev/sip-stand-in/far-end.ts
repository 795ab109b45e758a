/** What only the phone network behind a real SIP bridge does: further endings of numbers, which the simulator answers like 00. */

export type FarEnd =
  | 'usual'
  /** Answers, and not one packet of sound comes from it. */
  | 'silent'
  /** The trunk answers nothing at all, not even 100. */
  | 'dead_trunk'
  /** The trunk takes the INVITE (100), and nothing follows. */
  | 'only_trying'
  /** Rings until it is cancelled; its 200 crosses the CANCEL, and the bridge hangs up without a word to anybody. */
  | 'crossing_cancel'
  /** Rings until it is cancelled; its 200 comes just before, and the bridge says that it was cut short. */
  | 'answered_too_late'
  /** The first request finds the bridge's processor exhausted. */
  | 'full_bridge'
  /** As the target of a transfer: the trunk knows no REFER. */
  | 'no_refer'
  /** As the target of a transfer: the trunk takes the REFER, and no NOTIFY follows. */
  | 'no_notify'
  /** As a caller: hangs up before anybody answers. */
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
