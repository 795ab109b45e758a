/** Opens the conversation after the answer: answering machine detection, who speaks first, and the greeting. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnsweredBy } from '../../../domain/call-outcome';
import { msOf } from '../../audio/pcm';
import { chime } from '../../audio/sounds';
import { endOf } from '../state/conversation-end';
import { voicemailSettingsOf, type VoicemailSettings } from '../turns/answering-machine';
import { type PreparedOpening, openingSettingsOf } from './prepared-opening';
import type { VoiceSession } from './voice-session';

const POLL_INTERVAL_MS = 50;
/** The agent talks over announcements that are longer than this. */
const ANNOUNCEMENT_LIMIT_MS = 40_000;
/** Silence after which a machine's announcement and tone are over. */
const MACHINE_PAUSE_MS = 1_500;
/** Added to the configured silence after the first words, because a noisy line may never be silent. */
const GAP_MARGIN_MS = 10_000;
/** Time between the end of speech and its turn. Speech that has no turn by then was noise. */
const RECOGNITION_LIMIT_MS = 4_000;
/** If the user's first words take longer than this, the greeting interrupts them. */
const FIRST_TURN_LIMIT_MS = 30_000;

/** `signal` is aborted when the user leaves. */
export async function openSession(
  voiceSession: VoiceSession,
  prepared: PreparedOpening,
  signal: AbortSignal,
): Promise<void> {
  const { call, models } = voiceSession;
  const asks = models.stt === null ? null : voicemailSettingsOf(call.callContext);
  const answerer = asks === null ? null : await detectAnswerer(voiceSession, signal);
  if (answerer !== null && !signal.aborted) call.state.update({ answeredBy: answerer });
  if (asks !== null && answerer === 'machine') return leaveMessage(voiceSession, asks, signal);
  await greet(voiceSession, prepared, { isGreeted: answerer === 'human', signal });
}

async function detectAnswerer({ machineDetector }: VoiceSession, signal: AbortSignal): Promise<AnsweredBy> {
  while (!signal.aborted) {
    const known = machineDetector.classify();
    if (known !== null) return known;
    await sleep(POLL_INTERVAL_MS);
  }
  return 'unknown';
}

async function leaveMessage(
  voiceSession: VoiceSession,
  { message }: VoicemailSettings,
  signal: AbortSignal,
): Promise<void> {
  if (message === null) {
    voiceSession.call.state.update({ isFinished: true });
    return;
  }
  const until = performance.now() + ANNOUNCEMENT_LIMIT_MS;
  while (
    !signal.aborted &&
    performance.now() < until &&
    (voiceSession.machineDetector.pauseMs ?? 0) < MACHINE_PAUSE_MS
  )
    await sleep(POLL_INTERVAL_MS);
  if (!signal.aborted) await voiceSession.sayLast(message);
}

interface GreetOptions {
  /** The user has spoken and is waiting for the agent. */
  isGreeted: boolean;
  signal: AbortSignal;
}

async function greet(
  voiceSession: VoiceSession,
  prepared: PreparedOpening,
  { isGreeted, signal }: GreetOptions,
): Promise<void> {
  const { call, turnGate, inactivity, speechActivity, models, logic } = voiceSession;
  const { state, callContext } = call;
  const opening = openingSettingsOf(callContext);
  if (!opening.letsUserSpeakFirst) {
    if (isGreeted) await waitForFirstTurn(voiceSession, signal);
    else await pause(opening.delayMs, signal);
  }
  await disclose(voiceSession, prepared, signal);
  if (opening.letsUserSpeakFirst) {
    inactivity.start();
    await state.waitUntil((facts) => facts.hasSpoken || endOf(facts) !== null, callContext.maxTalkMs);
    await waitForFirstTurn(voiceSession, signal);
    await speechActivity.waitForSilence(opening.gapMs, { limitMs: opening.gapMs + GAP_MARGIN_MS, signal });
  }
  if (endOf(state.current) !== null) return;
  const text = await prepared.greetingText();
  await voiceSession.remember(turnGate.open());
  if (models.tts === null) await greetByChime(voiceSession, text, signal);
  else if (text !== '')
    await voiceSession.say(text, {
      isInterruptible: opening.isInterruptible,
      prepared: prepared.greeting,
    });
  else if (logic.hasModel) await voiceSession.agentSession.generateReply().waitForPlayout();
  if (!signal.aborted) inactivity.start();
}

/** Recording starts only after the whole disclosure was spoken. If that fails, nothing is recorded. */
async function disclose(
  voiceSession: VoiceSession,
  prepared: PreparedOpening,
  signal: AbortSignal,
): Promise<void> {
  const { call, recorder, models } = voiceSession;
  const { disclosure } = recorder;
  if (disclosure === '' || signal.aborted) return;
  const isDisclosed =
    models.tts === null
      ? await showInstead(voiceSession, disclosure)
      : await voiceSession.sayWhole(disclosure, prepared.disclosure);
  if (signal.aborted) return;
  if (isDisclosed) await recorder.disclosed();
  else call.log.warn({}, 'the disclosure could not be played: the conversation is not recorded');
}

/** Shows the text as a caption when the agent has no TTS. Returns true if the user can read it, which requires a browser. */
async function showInstead(voiceSession: VoiceSession, text: string): Promise<boolean> {
  const now = Date.now();
  await show(voiceSession, text, { from: now, to: now });
  return voiceSession.call.callContext.medium === 'webrtc';
}

/** Adds the text to the captions, the transcript and the chat history. */
async function show(
  voiceSession: VoiceSession,
  text: string,
  spoken: { from: number; to: number },
): Promise<void> {
  const { call, segments, logic } = voiceSession;
  segments.emit('agent', text, spoken);
  await voiceSession.remember([logic.agent.chatCtx.copy().addMessage({ role: 'assistant', content: text })]);
  await call.room.caption(text);
}

/** Waits for words that are still being recognised, because they would become a separate turn after the greeting. */
async function waitForFirstTurn(
  { turnGate, speechActivity, models }: VoiceSession,
  signal: AbortSignal,
): Promise<void> {
  if (models.stt === null) return;
  const noTurn = speechActivity.waitForSilence(RECOGNITION_LIMIT_MS, {
    limitMs: FIRST_TURN_LIMIT_MS,
    signal,
  });
  await Promise.race([turnGate.firstHeld, noTurn]);
}

/** For an agent without TTS: plays a chime and shows the greeting as a caption. */
async function greetByChime(voiceSession: VoiceSession, text: string, signal: AbortSignal): Promise<void> {
  const { call, recorder } = voiceSession;
  const sound = chime();
  const from = Date.now();
  if (text !== '') await show(voiceSession, text, { from, to: from + msOf(sound.length) });
  recorder.played(sound);
  await call.room.play(sound, signal);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
