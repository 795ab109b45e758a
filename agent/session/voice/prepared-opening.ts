/** Synthesises the disclosure and the greeting while the phone rings. Otherwise the callee would hear silence after the answer. */
import { ReadableStream } from 'node:stream/web';
import type { Call } from '../state/call';
import { isDisconnected } from '../state/session-state';
import { openingSettingsOf } from './opening-settings';
import { PreparedSpeech } from './prepared-speech';
import { pronunciationsOf } from './pronunciation';
import type { SessionModels } from './session-models';
import { spoken } from './spoken-text';

export class PreparedOpening {
  /** Null until synthesis starts, and when there is nothing to say or no voice. */
  disclosure: PreparedSpeech | null = null;
  greeting: PreparedSpeech | null = null;
  private hasBegun = false;
  private isClosed = false;

  constructor(
    private readonly call: Call,
    private readonly models: SessionModels,
    private readonly disclosed: string,
  ) {}

  /**
   * Starts once the callee's phone or browser is coming, so that a phone that is never dialled costs nothing. A browser session that has
   * its agent is about to join.
   */
  begin(): void {
    const { state, callContext } = this.call;
    state.subscribe((facts) => {
      const isComing = facts.joinedAt !== null || callContext.medium === 'webrtc';
      if (this.hasBegun || !isComing || isDisconnected(facts)) return;
      this.hasBegun = true;
      // A failed speech is synthesised again when it is said.
      void this.prepare().catch(() => undefined);
    });
  }

  /**
   * Returns the text of the greeting, or an empty text. A session's own welcome message comes first, then the custom server's greeting,
   * then the agent's.
   */
  async greetingText(): Promise<string> {
    const { callContext } = this.call;
    const isWelcome = typeof callContext.session?.welcomeMessage === 'string';
    const sent = isWelcome ? null : await this.models.customServer.greeting();
    return sent ?? openingSettingsOf(callContext).text;
  }

  close(): void {
    this.isClosed = true;
    this.disclosure?.close();
    this.greeting?.close();
  }

  /** Prepares the disclosure before the greeting, because it is needed first. */
  private async prepare(): Promise<void> {
    this.disclosure = this.speechOf(this.disclosed);
    await this.disclosure?.done;
    this.greeting = this.speechOf(await this.greetingText());
  }

  private speechOf(words: string): PreparedSpeech | null {
    const { tts } = this.models;
    if (tts === null || words === '' || this.isClosed) return null;
    const pairs = pronunciationsOf(this.call.callContext.agent.config);
    return new PreparedSpeech(tts, words, spoken(ReadableStream.from([words]), pairs));
  }
}
