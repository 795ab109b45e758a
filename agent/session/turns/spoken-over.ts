/** How long the remote party has spoken over the agent: a short sound may be no word, whatever a recogniser makes of it. */

/** A longer silence ends what belongs together: words are recognised within it. */
const TOGETHER_MS = 2_000;

export class SpokenOver {
  private spoken = 0;
  private silent = 0;

  /** In milliseconds of voice, with some 60 that the detector adds; 0 when the agent has been silent since. */
  get ms(): number {
    return this.spoken;
  }

  /** The next window. */
  add(ms: number, { isVoice, isAgentSpeaking }: { isVoice: boolean; isAgentSpeaking: boolean }): void {
    if (!isAgentSpeaking || (isVoice && this.silent > TOGETHER_MS)) this.spoken = 0;
    this.silent = isVoice ? 0 : this.silent + ms;
    if (isVoice && isAgentSpeaking) this.spoken += ms;
  }
}
