/** Synthesises the disclosure and the greeting while the phone rings, so that the callee hears no silence after the answer. */
import { ReadableStream } from 'node:stream/web';
import { tts } from '@livekit/agents';
import type { SdkFrame } from '../../audio/sdk-frames';
import { greetingFor, withDisclosure, type CallContext } from '../../platform/call-context';
import type { Call } from '../state/call';
import { isDisconnected } from '../state/session-state';
import type { SessionModels } from './session-models';
import { spoken, pronunciationsOf } from './spoken-text';

export class PreparedOpening {
  /** Null until synthesis starts, and when there is no disclosure or no voice. */
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
   * Starts synthesis once the phone has joined the room, so that a phone that is never dialled costs nothing. In a browser session,
   * synthesis starts immediately because the user is about to join.
   */
  begin(): void {
    const { state, callContext } = this.call;
    state.subscribe((facts) => {
      const isComing = facts.joinedAt !== null || callContext.medium === 'webrtc';
      if (this.hasBegun || !isComing || isDisconnected(facts)) return;
      this.hasBegun = true;
      // If preparing fails, the speech is synthesised again when it's needed.
      void this.prepare().catch(() => undefined);
    });
  }

  /**
   * Returns the greeting with the rules' disclosure before it, or an empty string. A session's welcome message takes precedence over the custom server's greeting, which takes
   * precedence over the agent's.
   */
  async greetingText(): Promise<string> {
    const { callContext } = this.call;
    const isWelcome = typeof callContext.session?.welcomeMessage === 'string';
    const sent = isWelcome ? null : await this.models.customServer.greeting();
    return withDisclosure(callContext, sent ?? openingSettingsOf(callContext).text);
  }

  close(): void {
    this.isClosed = true;
    this.disclosure?.close();
    this.greeting?.close();
  }

  /** Prepares the disclosure first, because it is spoken first. */
  private async prepare(): Promise<void> {
    this.disclosure = this.speechOf(this.disclosed);
    await this.disclosure?.done;
    this.greeting = this.speechOf(await this.greetingText());
  }

  private speechOf(words: string): PreparedSpeech | null {
    const { tts: voice } = this.models;
    if (voice === null || words === '' || this.isClosed) return null;
    const pairs = pronunciationsOf(this.call.callContext.agent.config);
    return new PreparedSpeech(voice, words, spoken(ReadableStream.from([words]), pairs));
  }
}

/** How the agent opens the conversation. */
interface OpeningSettings {
  /** Greeting with variables filled in. Empty for none. */
  text: string;
  /** True when the agent waits for the user's first words before it greets. */
  letsUserSpeakFirst: boolean;
  /** Delay between the answer and the greeting when the agent speaks first. */
  delayMs: number;
  /** Silence to wait for after the user's first words, when the user speaks first. */
  gapMs: number;
  isInterruptible: boolean;
}

/** A session with its own welcome message also decides whether the user can interrupt it. */
export function openingSettingsOf(callContext: CallContext): OpeningSettings {
  const { agent, session } = callContext;
  const { agent_speech_delay, user_speech_delay, interruptible } =
    agent.config.persona.identity.greeting_message;
  return {
    ...greetingFor(callContext),
    delayMs: agent_speech_delay * 1000,
    gapMs: user_speech_delay * 1000,
    isInterruptible: session === null ? interruptible : session.isWelcomeInterruptible && interruptible,
  };
}

/** Speech that is synthesised before the agent needs it, so that it plays without delay. If synthesis failed, it is synthesised again. */
export class PreparedSpeech {
  private readonly stream: tts.SynthesizeStream;
  private readonly collected: SdkFrame[] = [];
  private hasError = false;
  private isOver = false;
  private wake: (() => void)[] = [];
  /** Resolves when synthesis is over, even if it failed. */
  readonly done: Promise<void>;

  /** `spoken` is `words` in the form that the voice gets. */
  constructor(
    private readonly voice: tts.TTS,
    readonly words: string,
    spoken: ReadableStream<string>,
  ) {
    this.stream = voice.stream();
    this.stream.updateInputStream(spoken);
    this.done = this.collect();
  }

  /** True when the voice failed or returned no audio. */
  get hasFailed(): boolean {
    return this.isOver && (this.hasError || this.collected.length === 0);
  }

  /** Duration of the whole audio. Null while unknown. */
  get durationMs(): number | null {
    if (!this.isOver || this.hasFailed) return null;
    const seconds = this.collected.map(({ samplesPerChannel, sampleRate }) => samplesPerChannel / sampleRate);
    return 1000 * seconds.reduce((sum, one) => sum + one, 0);
  }

  /** Yields all frames from the beginning, each as soon as it arrives. */
  async *frames(): AsyncGenerator<SdkFrame> {
    for (let at = 0; ; at += 1) {
      while (at >= this.collected.length && !this.isOver)
        await new Promise<void>((resolve) => this.wake.push(resolve));
      const frame = this.collected[at];
      if (frame === undefined) return;
      yield frame;
    }
  }

  close(): void {
    this.stream.close();
  }

  private async collect(): Promise<void> {
    const failed = ({ recoverable }: { recoverable: boolean }): void => {
      if (!recoverable) this.hasError = true;
    };
    this.voice.on('error', failed);
    try {
      for await (const piece of this.stream) {
        if (piece === tts.SynthesizeStream.END_OF_STREAM) break;
        this.collected.push(piece.frame);
        this.notify();
      }
    } catch {
      // The voice's `error` event has already reported the error.
      this.hasError = true;
    } finally {
      this.voice.off('error', failed);
      this.isOver = true;
      this.notify();
      this.stream.close();
    }
  }

  private notify(): void {
    const waiting = this.wake;
    this.wake = [];
    for (const resolve of waiting) resolve();
  }
}
