/** Measures how long the user has spoken over the agent. A very short sound is rarely a word, whatever a recogniser hears in it. */

/** A silence longer than this starts a new measurement. Words are recognised within it. */
const TOGETHER_MS = 2_000;

export class OverlapDuration {
  private spoken = 0;
  private silent = 0;

  /** Milliseconds of voice, including some 60 ms that the detector adds. Resets when the agent falls silent. */
  get ms(): number {
    return this.spoken;
  }

  /** Adds the next window. */
  add(ms: number, { isVoice, isAgentSpeaking }: { isVoice: boolean; isAgentSpeaking: boolean }): void {
    if (!isAgentSpeaking || (isVoice && this.silent > TOGETHER_MS)) this.spoken = 0;
    this.silent = isVoice ? 0 : this.silent + ms;
    if (isVoice && isAgentSpeaking) this.spoken += ms;
  }
}
