/** From the answer to the first turn: who is there, who speaks first, and what the agent opens with. */
import { setTimeout as sleep } from 'node:timers/promises';
import { endOf } from '../conversation/end';
import { msOf } from '../sound/pcm';
import { chime } from '../sound/tones';
import { openingOf } from './greeting';
import type { Talking } from './talking';
import { voicemailSettingsOf, type Answerer, type VoicemailSettings } from './voicemail';

const LOOK_EVERY_MS = 50;
/** A machine that is still announcing by then is spoken over. */
const ANNOUNCES_WITHIN_MS = 40_000;
/** After its announcement and its tone. */
const MACHINE_PAUSE_MS = 1_500;
/** Beyond the silence that is asked for after the first words: on a noisy line there may be none. */
const GAP_MARGIN_MS = 10_000;

/** `signal` is aborted when there is nobody to talk to any more. */
export async function open(talking: Talking, signal: AbortSignal): Promise<void> {
  const { call, models } = talking;
  const asks = models.stt === null ? null : voicemailSettingsOf(call.brief);
  const answerer = asks === null ? null : await whoAnswers(talking, signal);
  if (answerer !== null && !signal.aborted) call.situation.change({ answeredBy: answerer });
  if (asks !== null && answerer === 'machine') return leave(talking, asks, signal);
  await greet(talking, { isGreeted: answerer === 'human', signal });
}

async function whoAnswers({ answerer }: Talking, signal: AbortSignal): Promise<Answerer> {
  while (!signal.aborted) {
    const known = answerer.look();
    if (known !== null) return known;
    await sleep(LOOK_EVERY_MS);
  }
  return 'unknown';
}

async function leave(talking: Talking, { message }: VoicemailSettings, signal: AbortSignal): Promise<void> {
  if (message === null) {
    talking.call.situation.change({ isDone: true });
    return;
  }
  const until = performance.now() + ANNOUNCES_WITHIN_MS;
  while (!signal.aborted && performance.now() < until && (talking.answerer.pauseMs ?? 0) < MACHINE_PAUSE_MS)
    await sleep(LOOK_EVERY_MS);
  if (!signal.aborted) await talking.sayLast(message);
}

/** A turn, from the end of its speech: what has not become one by then was noise. */
const RECOGNISED_WITHIN_MS = 4_000;
/** First words that go on for longer are spoken into. */
const SPOKEN_WITHIN_MS = 30_000;

interface Greeting {
  /** The other side has spoken, and waits for the agent. */
  isGreeted: boolean;
  signal: AbortSignal;
}

async function greet(talking: Talking, { isGreeted, signal }: Greeting): Promise<void> {
  const { call, gate, quiet, hearing, models, mind } = talking;
  const { situation, brief } = call;
  const opening = openingOf(brief);
  if (opening.letsUserSpeakFirst) {
    quiet.begin();
    await situation.until((facts) => facts.hasSpoken || endOf(facts) !== null, brief.maxTalkMs);
    await firstTurn(talking, signal);
    await hearing.quietFor(opening.gapMs, { limitMs: opening.gapMs + GAP_MARGIN_MS, signal });
  } else if (isGreeted) await firstTurn(talking, signal);
  else await pause(opening.delayMs, signal);
  if (endOf(situation.now) !== null) return;
  // A server of the client's own knows best what to open with; only a session's own words of welcome go before.
  const isWelcome = typeof brief.session?.welcomeMessage === 'string';
  const text = (isWelcome ? null : await models.server.greeting()) ?? opening.text;
  await talking.remember(gate.open());
  if (models.tts === null) await greetByChime(talking, text, signal);
  else if (text !== '') await talking.say(text, { isInterruptible: opening.isInterruptible });
  else if (mind.thinks) await talking.session.generateReply().waitForPlayout();
  if (!signal.aborted) quiet.begin();
}

/** Words that are still being recognised would else come as a turn of their own, after the greeting that answers them. */
async function firstTurn({ gate, hearing, models }: Talking, signal: AbortSignal): Promise<void> {
  if (models.stt === null) return;
  const noTurn = hearing.quietFor(RECOGNISED_WITHIN_MS, { limitMs: SPOKEN_WITHIN_MS, signal });
  await Promise.race([gate.firstHeld, noTurn]);
}

/** An agent without a voice: somebody is there, and its words are to be read. */
async function greetByChime(talking: Talking, text: string, signal: AbortSignal): Promise<void> {
  const { call, recorder, segments, mind } = talking;
  const sound = chime();
  const from = Date.now();
  if (text !== '') {
    segments.tell('agent', text, { from, to: from + msOf(sound.length) });
    await talking.remember([mind.agent.chatCtx.copy().addMessage({ role: 'assistant', content: text })]);
    await call.room.caption(text);
  }
  recorder.played(sound);
  await call.room.play(sound, signal);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
