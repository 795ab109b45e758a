/**
 * Runs the SDK's `AgentSession` of one call, and connects it to the room, the recorder and the platform. `opening.ts` opens the
 * conversation.
 */
import { ReadableStream } from 'node:stream/web';
import { FlushSentinel, voice, type llm } from '@livekit/agents';
import type { Speaker } from '../../../domain/transcript';
import { withTimeout } from '../../../runtime/network/time-limit';
import { isAudible } from '../../audio/pcm';
import type { SdkFrame } from '../../audio/sdk-frames';
import { createAgentLogic, type AgentLogic } from '../../model/agent-logic';
import type { VoiceNodes } from '../../model/llm-agent';
import { languagesOf } from '../../providers/languages';
import type { Call } from '../state/call';
import type { Recorder } from '../state/recorder';
import type { RoomEvent } from '../state/room-port';
import { isUser } from '../state/session-state';
import { AnsweringMachineDetector } from '../turns/answering-machine';
import type { EndOfTurnModel } from '../turns/end-of-turn-model';
import { endPhraseOf, EndPhraseTimer } from '../turns/end-phrase';
import { InactivityMonitor, idleSettingsOf } from '../turns/inactivity';
import { Overlap } from '../turns/interruption';
import { SpeechActivity } from '../turns/speech-activity';
import { TurnGate } from '../turns/turn-gate';
import { turnHandlingFor, type EndOfTurn } from '../turns/turn-handling';
import { callControlsFor } from './call-controls';
import { FillerChoice, fillersOf, withFillers } from './fillers';
import { OutputMixer, backgroundNoiseFor } from './output-mixer';
import type { PreparedSpeech } from './prepared-opening';
import { RoomAudioOutput, RoomAudioInput } from './room-audio';
import type { SessionModels } from './session-models';
import { spoken, pronunciationsOf } from './spoken-text';
import { SegmentEmitter, tapTranscript } from './transcript';
import type { TurnMetrics } from './turn-metrics';

/** Time in which the last words can be added to the history. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Maximum number of consecutive tool calls in one turn. */
const MAX_TOOL_STEPS = 5;

const isFailure = (reason: string): boolean => reason === 'error';

interface SayOptions {
  isInterruptible?: boolean;
  /** Audio that was prepared for the same words. */
  prepared?: PreparedSpeech | null;
  /** Called when the prepared audio fails before any of it has been played. The words are then synthesised again. */
  onResynthesis?: () => void;
}

const Events = voice.AgentSessionEventTypes;

export class VoiceSession {
  readonly turnGate = new TurnGate();
  readonly speechActivity = new SpeechActivity();
  readonly machineDetector = new AnsweringMachineDetector();
  readonly segments: SegmentEmitter;
  readonly inactivity: InactivityMonitor;
  readonly logic: AgentLogic;
  readonly agentSession: voice.AgentSession;
  /** Rejects when the session fails. Never resolves. */
  readonly failed: Promise<never>;
  private readonly endPhraseTimer: EndPhraseTimer;
  private readonly overlap: Overlap;
  private readonly mixer: OutputMixer | null;
  private readonly audioOutput: RoomAudioOutput | null;
  private readonly audioInput: RoomAudioInput | null;
  private fail: (error: Error) => void = () => undefined;
  private isClosed = false;
  private endsAfterSpeech = false;

  constructor(
    readonly call: Call,
    readonly recorder: Recorder,
    readonly models: SessionModels,
    private readonly metrics: TurnMetrics,
  ) {
    const { callContext, state, room, settings, events, log } = call;
    const { config } = callContext.agent;
    this.failed = new Promise((_resolve, reject) => (this.fail = reject));
    // Prevents an unhandled rejection. The error is thrown wherever the promise is awaited.
    this.failed.catch(() => undefined);
    this.segments = new SegmentEmitter({
      events,
      answeredAt: state.current.answeredAt ?? Date.now(),
      onSegment: (speaker, text, interrupted) => this.onSegment(speaker, text, interrupted),
    });
    this.endPhraseTimer = new EndPhraseTimer(endPhraseOf(config), () => state.update({ isFinished: true }));
    this.inactivity = new InactivityMonitor({
      silenceMs: settings.silenceMs,
      idle: idleSettingsOf(config),
      handlers: {
        warn: (words) => void this.say(words).catch(() => undefined),
        hangUp: (words) => void this.sayLast(words, { isSilent: true }),
      },
      onSilence: () => state.update({ isSilent: true }),
    });
    this.logic = createAgentLogic(callContext, callControlsFor(call), {
      model: models.llm,
      timeZone: settings.timeZone,
      log,
      nodes: this.nodes(),
    });
    withFillers(this.logic.agent, new FillerChoice(fillersOf(config)), FlushSentinel);
    models.customServer.onEndCall = () => (this.endsAfterSpeech = true);
    this.agentSession = this.createAgentSession();
    const noise = backgroundNoiseFor(callContext);
    const isHeard = models.tts !== null || noise !== null;
    this.mixer = isHeard
      ? new OutputMixer(
          room,
          {
            sent: (samples, speechMs) => this.onAudioSent(samples, speechMs),
            dropped: (ms) => recorder.unplayed(ms),
          },
          noise,
        )
      : null;
    this.audioOutput =
      this.mixer !== null && models.tts !== null ? new RoomAudioOutput(this.mixer, room) : null;
    this.overlap = new Overlap({
      models,
      output: this.audioOutput,
      speechActivity: this.speechActivity,
      languages: languagesOf(callContext),
      isAgentSpeaking: () => this.isAgentSpeaking,
    });
    this.audioInput = models.stt === null ? null : new RoomAudioInput(models.noiseSuppressor);
    this.mixer?.done.catch(() => this.fail(new Error('the room accepts no audio')));
  }

  async start(): Promise<void> {
    const { agentSession, audioInput, audioOutput, logic, call, models } = this;
    this.subscribe();
    agentSession.input.audio = audioInput;
    agentSession.output.audio = audioOutput;
    // Audio that arrives before the session starts is kept in the audio input.
    call.room.listen((event) => this.onRoomEvent(event));
    await agentSession.start({ agent: logic.agent, record: false });
    if (models.stt === null && call.callContext.medium === 'webrtc') this.inactivity.textReceived();
  }

  /** Resolves when the words have been played or interrupted. They are in the chat history by then. */
  async say(
    words: string,
    { isInterruptible = true, prepared, onResynthesis }: SayOptions = {},
  ): Promise<void> {
    if (this.isClosed || words === '') return;
    const isReady = prepared?.words === words && !prepared.hasFailed;
    const audio = isReady ? ReadableStream.from(this.framesOf(prepared, onResynthesis)) : undefined;
    const speech = this.agentSession.say(words, {
      allowInterruptions: isInterruptible,
      ...(audio !== undefined && { audio }),
    });
    const played = speech.waitForPlayout();
    await (isInterruptible ? played : this.overlap.ignoreDuring(played));
  }

  /** Like `say`, but can't be interrupted. Returns true if all words were played, and false without a voice. */
  async sayWhole(words: string, prepared: PreparedSpeech | null = null): Promise<boolean> {
    let isPlayed = false;
    const added = ({ item }: voice.ConversationItemAddedEvent): void => {
      if (item.type === 'message' && item.role === 'assistant')
        isPlayed = !hasFailed && !item.interrupted && item.metrics.startedSpeakingAt !== undefined;
    };
    // The SDK adds the whole text to the history even if the voice failed in the middle.
    let hasFailed = false;
    const failed = ({ error }: voice.ErrorEvent): void => {
      if (error.type === 'tts_error' && !error.recoverable) hasFailed = true;
    };
    this.agentSession.on(Events.ConversationItemAdded, added).on(Events.Error, failed);
    const onResynthesis = (): void => void (hasFailed = false);
    await this.say(words, { isInterruptible: false, prepared, onResynthesis }).catch(() => undefined);
    this.agentSession.off(Events.ConversationItemAdded, added).off(Events.Error, failed);
    return isPlayed;
  }

  /** Ends the conversation after the words have been played. */
  async sayLast(words: string, { isSilent = false } = {}): Promise<void> {
    await this.say(words, { isInterruptible: false }).catch(() => undefined);
    this.call.state.update({ isFinished: true, ...(isSilent && { isSilent }) });
  }

  /** Adds messages to the chat history without generating an answer. */
  async remember(messages: readonly llm.ChatMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const { agent } = this.logic;
    const chatCtx = agent.chatCtx.copy();
    chatCtx.items.push(...messages);
    await agent.updateChatCtx(chatCtx);
  }

  /** Sends pending words to the platform and releases all resources. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.inactivity.stop();
    this.endPhraseTimer.stop();
    this.overlap.stop();
    this.audioInput?.end();
    // Without this shutdown, `close` would wait another half second for further words and keep the line busy.
    if (this.speechActivity.isQuiet)
      this.agentSession.shutdown({ drain: false, reason: voice.CloseReason.ERROR });
    const closed = this.agentSession.close().catch(() => undefined);
    await withTimeout(CLOSE_TIMEOUT_MS, closed, () => undefined);
    this.mixer?.stop();
    this.segments.emitPending();
    this.call.live.close();
  }

  private async *framesOf(prepared: PreparedSpeech, onResynthesis?: () => void): AsyncGenerator<SdkFrame> {
    let hasBegun = false;
    for await (const frame of prepared.frames()) {
      hasBegun = true;
      this.audioOutput?.setDuration(prepared.durationMs);
      yield frame;
    }
    if (hasBegun || !prepared.hasFailed) return;
    onResynthesis?.();
    const resynthesised = await this.logic.agent.ttsNode(ReadableStream.from([prepared.words]), {});
    if (resynthesised !== null) yield* resynthesised;
  }

  private createAgentSession(): voice.AgentSession {
    const { models, call } = this;
    const { config } = call.callContext.agent;
    const hears = models.stt !== null;
    const endOfTurn = models.endOfTurn === null ? null : this.endOfTurn(models.endOfTurn);
    const turnHandling = turnHandlingFor(config, endOfTurn);
    return new voice.AgentSession({
      ...(models.stt !== null && { stt: models.stt }),
      ...(models.tts !== null && { tts: models.tts }),
      vad: hears ? models.vad : null,
      turnHandling: hears ? turnHandling : { ...turnHandling, turnDetection: 'manual' },
      // Disabled, because the inactivity monitor measures silence and the user's device cancels its own echo.
      userAwayTimeout: null,
      aecWarmupDuration: null,
      maxToolSteps: MAX_TOOL_STEPS,
      // The text is known before it is spoken.
      useTtsAlignedTranscript: false,
      // `spokenText` filters the text instead. The SDK's own transforms cause unhandled rejections when speech is interrupted.
      ttsTextTransforms: null,
    });
  }

  private endOfTurn(model: EndOfTurnModel): EndOfTurn {
    return {
      model,
      language: languagesOf(this.call.callContext).first,
      words: () => this.segments.pendingWords,
      setMaxDelay: (maxDelay) =>
        this.agentSession.updateOptions({ turnHandling: { endpointing: { maxDelay } } }),
    };
  }

  /** Also true while speech is held because the user may be interrupting it. */
  private get isAgentSpeaking(): boolean {
    return this.agentSession.agentState === 'speaking' || this.audioOutput?.isPaused === true;
  }

  private nodes(): VoiceNodes {
    const { live, room, callContext } = this.call;
    const pronunciations = pronunciationsOf(callContext.agent.config);
    return {
      sttNode: async (agent, audio, settings) => {
        const events = await voice.Agent.default.sttNode(agent, audio, settings);
        return events === null ? null : this.overlap.filter(events);
      },
      ttsNode: (agent, text, settings) =>
        voice.Agent.default.ttsNode(agent, spoken(text, pronunciations), settings),
      onUserTurnCompleted: (_history, message) => {
        if (this.turnGate.isOpen) return Promise.resolve();
        this.turnGate.hold(message);
        this.segments.emit('user', message.textContent?.trim() ?? '', this.speechActivity.lastSpeech);
        return Promise.reject(new voice.StopResponse());
      },
      transcriptionNode: async (agent, text, settings) => {
        const words = await voice.Agent.default.transcriptionNode(agent, text, settings);
        return words === null
          ? null
          : tapTranscript(words, {
              partial: (soFar) => {
                this.audioOutput?.setWords(soFar);
                live.publish('transcript', { speaker: 'agent', text: soFar });
              },
              complete: (all) => void room.caption(all).catch(() => undefined),
            });
      },
    };
  }

  private subscribe(): void {
    const { agentSession, metrics } = this;
    const { live } = this.call;
    agentSession.on(Events.ConversationItemAdded, ({ item }) => {
      this.truncateToPlayed(item);
      metrics.itemAdded(item);
      this.segments.emitItem(item);
    });
    agentSession.on(Events.MetricsCollected, ({ metrics: measure }) => {
      // TTS usage is already counted where the voice is created.
      if (measure.type !== 'tts_metrics') metrics.onMetrics(measure);
      this.overlap.onMetrics(measure);
    });
    agentSession.on(Events.UserInputTranscribed, ({ transcript, isFinal, language }) => {
      this.segments.setLanguage(language);
      this.machineDetector.hear(transcript, { isFinal });
      if (isFinal) this.segments.addFinal(transcript);
      else live.publish('transcript', { speaker: 'user', text: transcript });
    });
    agentSession.on(Events.UserStateChanged, ({ newState }) => this.onUserState(newState === 'speaking'));
    agentSession.on(Events.AgentStateChanged, ({ newState, oldState }) =>
      this.onAgentState(newState, oldState),
    );
    // The SDK recovers from the error or closes the session. Without a listener, the event would be thrown.
    agentSession.on(Events.Error, () => undefined);
    // The reason is not logged, because a library's message can contain words of the conversation.
    agentSession.on(Events.Close, ({ reason }) => {
      if (!this.isClosed && isFailure(reason)) this.fail(new Error('the voice session failed'));
    });
  }

  /** Removes words that were not played. The SDK does this for the model's words, but not for words that were passed to `say`. */
  private truncateToPlayed(item: llm.ChatItem): void {
    const cut = this.audioOutput?.lastInterrupted;
    if (cut === undefined || cut === null || item.type !== 'message' || !item.interrupted) return;
    if (item.role === 'assistant' && item.textContent === cut.words) item.content = [cut.played];
  }

  private onUserState(isSpeaking: boolean): void {
    this.speechActivity.setSpeaking(isSpeaking);
    this.machineDetector.setSpeaking(isSpeaking);
    this.inactivity.setUserSpeaking(isSpeaking);
    this.overlap.setSpeaking(isSpeaking);
    this.call.live.publish(isSpeaking ? 'turn_started' : 'turn_ended', { speaker: 'user' });
  }

  private onAgentState(current: voice.AgentState, before: voice.AgentState): void {
    const { live, state } = this.call;
    this.inactivity.setAgentBusy(current === 'thinking' || current === 'speaking');
    if (current === 'thinking') live.publish('agent_thinking');
    if (current === 'speaking') live.publish('turn_started', { speaker: 'agent' });
    if (before === 'speaking') live.publish('turn_ended', { speaker: 'agent' });
    if (current !== 'listening') return;
    this.endPhraseTimer.agentFinished();
    if (this.endsAfterSpeech && before === 'speaking') state.update({ isFinished: true });
  }

  private onSegment(speaker: Speaker, text: string, interrupted: boolean): void {
    if (interrupted) {
      this.endsAfterSpeech = false;
      this.call.live.publish('interrupted', { speaker });
    } else this.endPhraseTimer.onSegment(speaker, text);
  }

  private onRoomEvent(event: RoomEvent): void {
    if (this.isClosed || (event.kind !== 'audio' && event.kind !== 'text') || !isUser(event.participant))
      return;
    if (event.kind === 'text') return this.onText(event.text.trim());
    this.recorder.received(event.samples);
    this.audioInput?.push(event.samples);
    if (this.audioInput === null && isAudible(event.samples)) {
      this.speechActivity.audioReceived();
      this.inactivity.audioReceived();
    }
  }

  /** Typing interrupts the agent as speech does, unless the agent can't be interrupted. */
  private onText(text: string): void {
    if (text === '') return;
    this.inactivity.textReceived();
    if (!this.turnGate.isOpen) {
      const message = this.logic.agent.chatCtx.copy().addMessage({ role: 'user', content: text });
      this.turnGate.hold(message);
      this.segments.emitItem(message);
      return;
    }
    this.interrupt();
    this.agentSession.generateReply({ userInput: text });
  }

  /** Speech that can't be interrupted is played to its end. The typed text is answered afterwards. */
  private interrupt(): void {
    try {
      this.agentSession.interrupt();
    } catch {
      // The SDK throws when the speech can't be interrupted.
    }
  }

  private onAudioSent(samples: Int16Array, speechMs: number): void {
    this.recorder.played(samples);
    this.audioOutput?.onSent(speechMs);
  }
}
