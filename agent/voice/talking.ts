/**
 * The talk itself, as a session of the SDK: it listens, takes turns, asks the mind and speaks. Here it is joined to the room, to the
 * recording and to what the platform is told. How it opens is `opening.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FlushSentinel, voice, type llm } from '@livekit/agents';
import type { HeldCall } from '../conversation/call';
import type { Recorder } from '../conversation/recorder';
import type { RoomNews } from '../conversation/room-port';
import { isOtherSide } from '../conversation/situation';
import { createMind, type Mind, type VoiceNodes } from '../mind';
import { isAudible } from '../sound/pcm';
import { noiseFor } from './background';
import { Ear } from './ear';
import { endPhraseOf } from './end-phrase';
import { EndWatch } from './end-watch';
import { FillerChoice, fillersOf, withFillers } from './fillers';
import { handsOf } from './hands';
import { HearingWatch } from './hearing-watch';
import { idleSettingsOf } from './idle';
import { Mouth } from './mouth';
import type { Prepared } from './prepared';
import { pronunciationsOf } from './pronunciation';
import { QuietWatch } from './quiet-watch';
import { Segments } from './segments';
import { shownWords } from './shown-words';
import { Speaker } from './speaker';
import { spoken } from './spoken-text';
import { TurnGate } from './turn-gate';
import { TurnMetrics } from './turn-metrics';
import { turnHandlingFor } from './turn-taking';
import { AnswererWatch } from './voicemail';

/** Its last words are committed to what was said. */
const CLOSE_WITHIN_MS = 2_000;
/** Of tools after one another, in one turn. */
const MOST_TOOL_STEPS = 5;

const isFailure = (reason: string): boolean => reason === 'error';

const Events = voice.AgentSessionEventTypes;

export class Talking {
  readonly gate = new TurnGate();
  readonly hearing = new HearingWatch();
  readonly answerer = new AnswererWatch();
  readonly segments: Segments;
  readonly quiet: QuietWatch;
  readonly mind: Mind;
  readonly session: voice.AgentSession;
  readonly metrics = new TurnMetrics((responseMs) => this.call.metrics.answered(responseMs));
  /** Rejects when the voice is lost; never resolves. */
  readonly lost: Promise<never>;
  private readonly end: EndWatch;
  private readonly speaker: Speaker | null;
  private readonly mouth: Mouth | null;
  private readonly ear: Ear | null;
  private lose: (error: Error) => void = () => undefined;
  private isClosed = false;
  private endsAfterSpeech = false;

  constructor(
    readonly call: HeldCall,
    readonly recorder: Recorder,
    readonly models: Prepared,
  ) {
    const { brief, situation, room, settings, events, log } = call;
    const { config } = brief.agent;
    this.lost = new Promise((_resolve, reject) => (this.lose = reject));
    // Told where it is waited for.
    this.lost.catch(() => undefined);
    this.segments = new Segments({
      events,
      answeredAt: situation.now.answeredAt ?? Date.now(),
      onSaid: (speaker, text, interrupted) => this.said(speaker, text, interrupted),
    });
    this.end = new EndWatch(endPhraseOf(config), () => situation.change({ isDone: true }));
    this.quiet = new QuietWatch({
      silenceMs: settings.silenceMs,
      idle: idleSettingsOf(config),
      deeds: {
        warn: (words) => void this.say(words).catch(() => undefined),
        hangUp: (words) => void this.sayLast(words, { isSilent: true }),
      },
      onSilence: () => situation.change({ isSilent: true }),
    });
    this.mind = createMind(brief, handsOf(call), { model: models.llm, log, nodes: this.nodes() });
    withFillers(this.mind.agent, new FillerChoice(fillersOf(config)), FlushSentinel);
    models.server.onEndCall = () => (this.endsAfterSpeech = true);
    this.session = this.newSession();
    const noise = noiseFor(brief);
    const isHeard = models.tts !== null || noise !== null;
    this.speaker = isHeard
      ? new Speaker(room, (samples, speechMs) => this.sent(samples, speechMs), noise)
      : null;
    this.mouth = this.speaker !== null && models.tts !== null ? new Mouth(this.speaker, room) : null;
    this.ear = models.stt === null ? null : new Ear();
    this.speaker?.done.catch(() => this.lose(new Error('the room takes no sound')));
  }

  async start(): Promise<void> {
    const { session, ear, mouth, mind, call, models } = this;
    this.follow();
    session.input.audio = ear;
    session.output.audio = mouth;
    // What is said meanwhile waits in the ear.
    call.room.listen((news) => this.hear(news));
    await session.start({ agent: mind.agent, record: false });
    if (models.stt === null && call.brief.medium === 'webrtc') this.quiet.isTyped();
  }

  /** Resolves when it was heard, or cut short. What was said is in the history then. */
  async say(words: string, { isInterruptible = true } = {}): Promise<void> {
    if (this.isClosed || words === '') return;
    await this.session.say(words, { allowInterruptions: isInterruptible }).waitForPlayout();
  }

  /** The conversation is over once it was heard. */
  async sayLast(words: string, { isSilent = false } = {}): Promise<void> {
    await this.say(words, { isInterruptible: false }).catch(() => undefined);
    this.call.situation.change({ isDone: true, ...(isSilent && { isSilent }) });
  }

  /** Into the agent's memory, without an answer. */
  async remember(messages: readonly llm.ChatMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const { agent } = this.mind;
    const chatCtx = agent.chatCtx.copy();
    chatCtx.items.push(...messages);
    await agent.updateChatCtx(chatCtx);
  }

  /** What was said is told; the rest is put away. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.quiet.stop();
    this.end.stop();
    this.ear?.end();
    // Otherwise the SDK waits half a second for words that may still come, and the line with it.
    if (this.hearing.isQuiet) this.session.shutdown({ drain: false, reason: voice.CloseReason.ERROR });
    await Promise.race([this.session.close().catch(() => undefined), sleep(CLOSE_WITHIN_MS)]);
    this.speaker?.stop();
    this.segments.tellRest();
    const { usage } = this.metrics;
    if (usage.models.length > 0) this.call.events.tell({ type: 'usage', ...usage });
    this.call.live.close();
  }

  private newSession(): voice.AgentSession {
    const { models, call } = this;
    const { config } = call.brief.agent;
    const hears = models.stt !== null;
    const turnHandling = turnHandlingFor(config);
    return new voice.AgentSession({
      ...(models.stt !== null && { stt: models.stt }),
      ...(models.tts !== null && { tts: models.tts }),
      vad: hears ? models.vad : null,
      turnHandling: hears ? turnHandling : { ...turnHandling, turnDetection: 'manual' },
      // Silence is ours to judge, and the other side's echo theirs to cancel.
      userAwayTimeout: null,
      aecWarmupDuration: null,
      maxToolSteps: MOST_TOOL_STEPS,
      // What is said is known before it is spoken.
      useTtsAlignedTranscript: false,
      // What is left out of speech is left out by us: the SDK's way of it rejects where nobody listens once speech is cut short.
      ttsTextTransforms: null,
    });
  }

  private nodes(): VoiceNodes {
    const { live, room, brief } = this.call;
    const pronunciations = pronunciationsOf(brief.agent.config);
    return {
      ttsNode: (agent, text, settings) =>
        voice.Agent.default.ttsNode(agent, spoken(text, pronunciations), settings),
      onUserTurnCompleted: (_history, message) => {
        if (this.gate.isOpen) return Promise.resolve();
        this.gate.hold(message);
        this.segments.tell('user', message.textContent?.trim() ?? '', this.hearing.lastSpeech);
        return Promise.reject(new voice.StopResponse());
      },
      transcriptionNode: async (agent, text, settings) => {
        const words = await voice.Agent.default.transcriptionNode(agent, text, settings);
        return words === null
          ? null
          : shownWords(words, {
              said: (soFar) => {
                this.mouth?.setWords(soFar);
                live.tell('transcript', { speaker: 'agent', text: soFar });
              },
              whole: (all) => void room.caption(all).catch(() => undefined),
            });
      },
    };
  }

  private follow(): void {
    const { session, metrics } = this;
    const { live } = this.call;
    session.on(Events.ConversationItemAdded, ({ item }) => {
      this.shortenToHeard(item);
      metrics.said(item);
      this.segments.tellItem(item);
    });
    session.on(Events.MetricsCollected, (event) => metrics.measured(event.metrics));
    session.on(Events.UserInputTranscribed, ({ transcript, isFinal, language }) => {
      this.segments.heardIn(language);
      if (isFinal) {
        this.answerer.heard(transcript);
        this.segments.heard(transcript);
      } else live.tell('transcript', { speaker: 'user', text: transcript });
    });
    session.on(Events.UserStateChanged, ({ newState }) => this.userIs(newState === 'speaking'));
    session.on(Events.AgentStateChanged, ({ newState, oldState }) => this.agentIs(newState, oldState));
    // One that the SDK gets over, or closes for: unheard it would be thrown.
    session.on(Events.Error, () => undefined);
    // It is never told why: what a library says may hold what was said.
    session.on(Events.Close, ({ reason }) => {
      if (!this.isClosed && isFailure(reason)) this.lose(new Error('the voice was lost'));
    });
  }

  /** The SDK does so for the model's words, and keeps all of those that it was given. */
  private shortenToHeard(item: llm.ChatItem): void {
    const cut = this.mouth?.cutShort;
    if (cut === undefined || cut === null || item.type !== 'message' || !item.interrupted) return;
    if (item.role === 'assistant' && item.textContent === cut.words) item.content = [cut.heard];
  }

  private userIs(isSpeaking: boolean): void {
    this.hearing.speech(isSpeaking);
    this.answerer.speech(isSpeaking);
    this.quiet.user(isSpeaking);
    this.call.live.tell(isSpeaking ? 'turn_started' : 'turn_ended', { speaker: 'user' });
  }

  private agentIs(state: voice.AgentState, before: voice.AgentState): void {
    const { live, situation } = this.call;
    this.quiet.agent(state === 'thinking' || state === 'speaking');
    if (state === 'thinking') live.tell('agent_thinking');
    if (state === 'speaking') live.tell('turn_started', { speaker: 'agent' });
    if (before === 'speaking') live.tell('turn_ended', { speaker: 'agent' });
    if (state !== 'listening') return;
    this.end.agentDone();
    if (this.endsAfterSpeech && before === 'speaking') situation.change({ isDone: true });
  }

  private said(speaker: 'agent' | 'user', text: string, interrupted: boolean): void {
    if (interrupted) {
      this.endsAfterSpeech = false;
      this.call.live.tell('interrupted', { speaker });
    } else this.end.said(speaker, text);
  }

  private hear(news: RoomNews): void {
    if (this.isClosed || (news.kind !== 'heard' && news.kind !== 'typed') || !isOtherSide(news.guest)) return;
    if (news.kind === 'typed') return this.read(news.text.trim());
    this.recorder.heard(news.samples);
    this.ear?.hear(news.samples);
    if (this.ear === null && isAudible(news.samples)) {
      this.hearing.sound();
      this.quiet.sound();
    }
  }

  /** Typing interrupts as speaking does, where the agent may be interrupted. */
  private read(text: string): void {
    if (text === '') return;
    this.quiet.isTyped();
    if (!this.gate.isOpen) {
      const message = this.mind.agent.chatCtx.copy().addMessage({ role: 'user', content: text });
      this.gate.hold(message);
      this.segments.tellItem(message);
      return;
    }
    this.interrupt();
    this.session.generateReply({ userInput: text });
  }

  /** What may not be interrupted is heard to its end, and answered then. */
  private interrupt(): void {
    try {
      this.session.interrupt();
    } catch {
      // The SDK's word for it.
    }
  }

  private sent(samples: Int16Array, speechMs: number): void {
    this.recorder.played(samples);
    this.mouth?.onSent(speechMs);
  }
}
