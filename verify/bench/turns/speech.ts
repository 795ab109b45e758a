/** Sentences by the local voice, with and without a pause. */
import { AudioFrame, AudioResampler, AudioResamplerQuality } from '@livekit/rtc-node';
import { isAudible, SAMPLE_RATE, samplesIn, type Samples } from '../../../agent/audio/pcm';
import type { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import { SENTENCES } from './sentences';

const VOICE_RATE = 24_000;
const STEP_MS = 10;
const BEFORE_MS = 500;
/** Long enough for the longest wait to be known. */
const AFTER_MS = 700;
const PAUSE_MS = { least: 600, most: 1_200 } as const;

export interface Utterance {
  samples: Samples;
  /** What a recogniser has at each pause: at the one in the middle, null for none, and at the end. */
  words: { middle: string; end: string };
  /** Whether the speaker stops in the middle. */
  hasPause: boolean;
}

/** The same sentences, each once with a pause and once without. */
export async function sentencesBy(voice: LocalSpeech): Promise<Utterance[]> {
  const utterances: Utterance[] = [];
  for (const [nth, [first, rest]] of SENTENCES.entries()) {
    const [one, other, whole] = [
      // As somebody speaks who is not at the end.
      await spokenBy(voice, `${first},`),
      await spokenBy(voice, rest),
      await spokenBy(voice, `${first} ${rest}`),
    ];
    const words = { middle: first, end: `${first} ${rest}` };
    const pause = silence(pauseMs(nth));
    utterances.push(
      { samples: joined(silence(BEFORE_MS), one, pause, other, silence(AFTER_MS)), words, hasPause: true },
      { samples: joined(silence(BEFORE_MS), whole, silence(AFTER_MS)), words, hasPause: false },
    );
  }
  return utterances;
}

/** Evenly spread over the sentences, in an order that has nothing to do with theirs. */
const pauseMs = (nth: number): number =>
  PAUSE_MS.least +
  (((nth * 29) % SENTENCES.length) / (SENTENCES.length - 1)) * (PAUSE_MS.most - PAUSE_MS.least);

/** At the agent's rate, without the silence around it. */
export async function spokenBy(voice: LocalSpeech, text: string): Promise<Samples> {
  const bytes = await voice.speech(text);
  const samples = new Int16Array(new Uint8Array(bytes).buffer);
  const resampler = new AudioResampler(VOICE_RATE, SAMPLE_RATE, 1, AudioResamplerQuality.HIGH);
  const frames = [
    ...resampler.push(new AudioFrame(samples, VOICE_RATE, 1, samples.length)),
    ...resampler.flush(),
  ];
  return trimmed(joined(...frames.map(({ data }) => data)));
}

/** So that a pause is as long as it is said to be. */
function trimmed(samples: Samples): Samples {
  const step = samplesIn(STEP_MS);
  const isHeard = (at: number): boolean => isAudible(samples.subarray(at, at + step));
  let [from, to] = [0, samples.length];
  while (from < to && !isHeard(from)) from += step;
  while (to > from && !isHeard(to - step)) to -= step;
  return samples.slice(from, to);
}

const silence = (ms: number): Samples => new Int16Array(samplesIn(ms));

function joined(...parts: readonly Samples[]): Samples {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** -66 dB below full scale, the same in each run. */
const HISS = 30;

export function withLineNoise(samples: Samples): Samples {
  let state = 1;
  return samples.map((sample) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.max(-32_768, Math.min(32_767, sample + Math.round((state / 2 ** 31 - 1) * HISS)));
  });
}
