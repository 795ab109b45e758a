/** Creates sentences in the local voice, with and without a pause. */
import { AudioFrame, AudioResampler, AudioResamplerQuality } from '@livekit/rtc-node';
import { mixed, seededRandom } from '../../../agent/audio/sounds';
import { isAudible, joined, SAMPLE_RATE, samplesIn, type Samples } from '../../../agent/audio/pcm';
import type { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import { VOICE_RATE } from '../../../dev/talk/caller/room-caller';
import { SENTENCES } from './sentences';

const silence = (ms: number, sampleRate: number): Int16Array =>
  new Int16Array(Math.round((sampleRate * ms) / 1000));

const STEP_MS = 10;
const BEFORE = silence(500, SAMPLE_RATE);
/** Long enough to observe the longest wait. */
const AFTER = silence(700, SAMPLE_RATE);
const PAUSE_MS = { min: 600, max: 1_200 } as const;

export interface Utterance {
  samples: Samples;
  /** Recognised words at the pause in the middle (null without a pause) and at the end. */
  words: { middle: string; end: string };
  /** True if the speaker pauses in the middle. */
  hasPause: boolean;
}

/** Speaks each sentence once with a pause and once without. */
export async function sentencesBy(voice: LocalSpeech): Promise<Utterance[]> {
  const utterances: Utterance[] = [];
  for (const [nth, [first, rest]] of SENTENCES.entries()) {
    const [one, other, whole] = [
      // With a comma at the end, the voice sounds unfinished.
      await spokenBy(voice, `${first},`),
      await spokenBy(voice, rest),
      await spokenBy(voice, `${first} ${rest}`),
    ];
    const words = { middle: first, end: `${first} ${rest}` };
    const pause = silence(pauseMs(nth), SAMPLE_RATE);
    utterances.push(
      { samples: joined([BEFORE, one, pause, other, AFTER]), words, hasPause: true },
      { samples: joined([BEFORE, whole, AFTER]), words, hasPause: false },
    );
  }
  return utterances;
}

/** Distributes the lengths evenly, regardless of the order of sentences. */
const pauseMs = (nth: number): number =>
  PAUSE_MS.min + (((nth * 29) % SENTENCES.length) / (SENTENCES.length - 1)) * (PAUSE_MS.max - PAUSE_MS.min);

/** Returns speech at the agent's sample rate, without silence around it. */
const spokenBy = async (voice: LocalSpeech, text: string): Promise<Samples> =>
  trimmed(resampled(await voice.samples(text), VOICE_RATE, SAMPLE_RATE));

/** Trims silence, so that a pause has exactly its nominal length. */
function trimmed(samples: Samples): Samples {
  const step = samplesIn(STEP_MS);
  const isHeard = (at: number): boolean => isAudible(samples.subarray(at, at + step));
  let [from, to] = [0, samples.length];
  while (from < to && !isHeard(from)) from += step;
  while (to > from && !isHeard(to - step)) to -= step;
  return samples.slice(from, to);
}

/** Noise 66 dB below full scale, identical in every run. */
const HISS = 30;

export function withLineNoise(samples: Samples): Samples {
  const random = seededRandom(1);
  const hiss = samples.map(() => Math.round((2 * random() - 1) * HISS));
  return mixed(samples, hiss);
}

/** Converts samples to another rate and removes frequencies that the lower rate can't represent. */
function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples;
  const resampler = new AudioResampler(from, to, 1, AudioResamplerQuality.HIGH);
  try {
    const frames = resampler.push(new AudioFrame(samples, from, 1, samples.length));
    return joined([...frames, ...resampler.flush()].map(({ data }) => Int16Array.from(data)));
  } finally {
    resampler.close();
  }
}
