/**
 * What the agent does with somebody who has answered. Until it has a voice: a chime for its greeting, whose words are shown as a caption;
 * then it listens and records, and hangs up when nothing was heard for some time.
 */
import { chime } from '../sound/tones';
import { isAudible, msOf } from '../sound/pcm';
import { greetingFor } from '../platform/brief';
import type { HeldCall } from './call';
import { endOf, type ConversationEnd } from './end';
import type { Recorder } from './recorder';
import { SilenceWatch } from './silence';
import { isOtherSide } from './situation';

export async function talk(call: HeldCall, recorder: Recorder): Promise<ConversationEnd> {
  const { situation, room, settings, brief } = call;
  await recorder.begin();
  const silence = new SilenceWatch(settings.silenceMs, () => situation.change({ isSilent: true }));
  const talkedMs = Date.now() - (situation.now.answeredAt ?? Date.now());
  const leftMs = Math.max(0, brief.maxTalkMs - talkedMs);
  const stopPlaying = new AbortController();
  room.listen((news) => {
    if (news.kind !== 'heard' || !isOtherSide(news.guest)) return;
    recorder.heard(news.samples);
    if (isAudible(news.samples)) silence.heard();
  });
  const greeted = greet(call, { recorder, silence, signal: stopPlaying.signal });
  try {
    const isOver = await Promise.race([
      situation.until((facts) => endOf(facts) !== null, leftMs),
      // Rejects where it fails; done, it leaves the word to the other.
      greeted.then(() => new Promise<never>(() => undefined)),
    ]);
    if (!isOver) situation.change({ isTalkOver: true });
    return endOf(situation.now) ?? { by: 'agent', reason: 'max_talk' };
  } finally {
    silence.stop();
    stopPlaying.abort();
  }
}

interface Greeting {
  recorder: Recorder;
  silence: SilenceWatch;
  /** Aborted when there is nobody to greet any more. */
  signal: AbortSignal;
}

/** Silence counts from its end. */
async function greet(call: HeldCall, { recorder, silence, signal }: Greeting): Promise<void> {
  const { room, situation, brief, events } = call;
  const greeting = greetingFor(brief);
  if (greeting.letsUserSpeakFirst) {
    silence.start();
    await situation.until((facts) => facts.hasSpoken || endOf(facts) !== null, brief.maxTalkMs);
    silence.stop();
  }
  if (endOf(situation.now) !== null) return;
  const sound = chime();
  const startMs = Math.max(0, Date.now() - (situation.now.answeredAt ?? Date.now()));
  if (greeting.text !== '') {
    const segment = {
      text: greeting.text,
      start_ms: startMs,
      end_ms: startMs + Math.round(msOf(sound.length)),
    };
    events.tell({ type: 'segment', speaker: 'agent', ...segment });
    await room.caption(greeting.text);
  }
  recorder.played(sound);
  await room.play(sound, signal);
  if (!signal.aborted) silence.start();
}
