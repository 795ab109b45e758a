/** Opens the conversation, from the answer to the first turn: answering machine detection, who speaks first, and the greeting. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnsweredBy } from '../../../domain/call-outcome';
import { msOf } from '../../audio/pcm';
import { chime } from '../../audio/sounds';
import { endOf } from '../state/conversation-end';
import { voicemailSettingsOf, type VoicemailSettings } from '../turns/answering-machine';
import { type PreparedOpening, openingSettingsOf } from './prepared-opening';
import type { VoiceSession } from './voice-session';

const POLL_INTERVAL_MS = 50;
/** The agent talks over an announcement that is longer than this. */
const ANNOUNCEMENT_LIMIT_MS = 40_000;
/** Silence that follows a machine's announcement and tone. */
const MACHINE_PAUSE_MS = 1_500;
/** Extra time for the configured silence after the first words, because a noisy line may never be silent. */
const GAP_MARGIN_MS = 10_000;
/** Time from the end of speech to its turn. Speech without a turn by then was noise. */
const RECOGNITION_LIMIT_MS = 4_000;
/** The greeting interrupts first words that take longer. */
const FIRST_TURN_LIMIT_MS = 30_000;

/** `signal` is aborted when the user has left. */
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

/** Nothing is recorded before the whole disclosure was said. If it could not be said, nothing is recorded at all. */
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
  else call.log.warn({}, 'the disclosure could not be said: the conversation is not recorded');
}

/** Shows the text, for an agent without TTS. Only a browser user can read it. */
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

/** Without this wait, words that are still being recognised would become a separate turn after the greeting that answers them. */
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

/** An agent without TTS plays a chime and shows the greeting as a caption. */
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
