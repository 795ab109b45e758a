/** What is said at the opening, synthesised while the phone rings: what a voice takes for it would otherwise be silence after the answer. */
import { ReadableStream } from 'node:stream/web';
import type { CallContext } from '../state/call-context';
import { isDisconnected } from '../state/session-state';
import { openingSettingsOf } from './opening-settings';
import { PreparedSpeech } from './prepared-speech';
import { pronunciationsOf } from './pronunciation';
import type { SessionModels } from './session-models';
import { spoken } from './spoken-text';

export class PreparedOpening {
  /** Null until it is being synthesised, and where there is nothing to say or no voice. */
  disclosure: PreparedSpeech | null = null;
  greeting: PreparedSpeech | null = null;
  private hasBegun = false;
  private isClosed = false;

  constructor(
    private readonly call: CallContext,
    private readonly models: SessionModels,
    private readonly disclosed: string,
  ) {}

  /** A phone that is never dialled costs no synthesis; a browser that has its agent is about to join. */
  begin(): void {
    const { state, brief } = this.call;
    state.subscribe((facts) => {
      const isComing = facts.joinedAt !== null || brief.medium === 'webrtc';
      if (this.hasBegun || !isComing || isDisconnected(facts)) return;
      this.hasBegun = true;
      // A failure is the speech's own: it is said anew.
      void this.prepare().catch(() => undefined);
    });
  }

  /** A custom server's greeting replaces the agent's; only a session's own welcome message takes precedence. Empty for none. */
  async greetingText(): Promise<string> {
    const { brief } = this.call;
    const isWelcome = typeof brief.session?.welcomeMessage === 'string';
    const sent = isWelcome ? null : await this.models.customServer.greeting();
    return sent ?? openingSettingsOf(brief).text;
  }

  close(): void {
    this.isClosed = true;
    this.disclosure?.close();
    this.greeting?.close();
  }

  /** One after the other: the first is wanted first. */
  private async prepare(): Promise<void> {
    this.disclosure = this.speechOf(this.disclosed);
    await this.disclosure?.done;
    this.greeting = this.speechOf(await this.greetingText());
  }

  private speechOf(words: string): PreparedSpeech | null {
    const { tts } = this.models;
    if (tts === null || words === '' || this.isClosed) return null;
    const pairs = pronunciationsOf(this.call.brief.agent.config);
    return new PreparedSpeech(tts, words, spoken(ReadableStream.from([words]), pairs));
  }
}
