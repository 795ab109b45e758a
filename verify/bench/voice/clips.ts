/** The recorded speech that callers play: sentences of the local voice, and sounds that are no turn. */
import { speechLike } from '../../../dev/model-stand-in/speech';
import type { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import { VOICE_RATE } from '../../../dev/talk/caller/room-caller';
import { BackgroundNoise } from '../../../agent/audio/background-noise';
import { decibelsOf, joined, SAMPLE_RATE } from '../../../agent/audio/pcm';
import { Random } from '../../faults/random';
import { AUDIBLE } from './spans';
import { louder, resampled, silence } from '../wave';

export interface Clip {
  /** What a perfect recogniser hears; empty for a sound without words. */
  words: string;
  /** At `VOICE_RATE`, without silence around it. */
  samples: Int16Array;
}

export interface Disturbance extends Clip {
  name: string;
}

export interface Clips {
  /** Said when nobody speaks. */
  questions: Clip[];
  /** Said over the agent. */
  interruptions: Clip[];
  /** With a comma, at which a pause can be put in. */
  halting: Clip[];
  disturbances: Disturbance[];
}

/** No numbers and no names, which are written in more than one way. */
const QUESTIONS = [
  'When are you open on Saturday?',
  'Where can I park my car?',
  'How do I cancel an appointment?',
  'Which doctors work at the clinic?',
  'Can my daughter come with me?',
] as const;
/** Without a pause: nobody's first word alone is an interruption. */
const INTERRUPTIONS = ['I want to ask something else first.', 'That is not what I wanted to know.'] as const;
const HALTING = [
  'I would like to make an appointment for my daughter, because she has a cold.',
  'I wanted to ask you about the letter that came, and about the bill in it.',
] as const;
const BACKGROUND = 'And then she went to the market to buy some bread and milk for the evening.';

/** Of the caller's voice, and of voices and noise behind it, below full scale. */
const VOICE_DECIBELS = -22;
const BACKGROUND_DECIBELS = -38;
const NOISE_MS = 1_500;

/** Half a minute of a processor: each sentence is synthesised once. */
export async function makeClips(speech: LocalSpeech): Promise<Clips> {
  const said = async (words: string): Promise<Clip> => ({
    words,
    samples: atLevel(trimmed(await speech.samples(words)), VOICE_DECIBELS),
  });
  const all = async (sentences: readonly string[]): Promise<Clip[]> => {
    const clips: Clip[] = [];
    for (const sentence of sentences) clips.push(await said(sentence));
    return clips;
  };
  const behind = (await said(BACKGROUND)).samples;
  return {
    questions: await all(QUESTIONS),
    interruptions: await all(INTERRUPTIONS),
    halting: await all(HALTING),
    disturbances: [
      { name: 'cough', words: '', samples: cough() },
      { name: 'backchannel', ...(await said('Yes.')) },
      { name: 'noise', words: '', samples: atLevel(street(), BACKGROUND_DECIBELS) },
      { name: 'hm', ...(await said('Mm hmm.')) },
      { name: 'background voice', words: '', samples: atLevel(behind, BACKGROUND_DECIBELS) },
    ],
  };
}

/** In place of the silence where the sentence is quietest, away from its ends. */
export function withPause({ words, samples }: Clip, pauseMs: number): Clip {
  const length = (VOICE_RATE * 40) / 1000;
  let [quietest, at] = [Number.POSITIVE_INFINITY, 0];
  for (let from = Math.floor(samples.length * 0.25); from < samples.length * 0.8; from += length / 4) {
    const level = decibelsOf(samples.subarray(from, from + length));
    if (level < quietest) [quietest, at] = [level, from + length / 2];
  }
  const [before, after] = [trimmed(samples.subarray(0, at)), trimmed(samples.subarray(at))];
  return { words, samples: joined([before, silence(pauseMs, VOICE_RATE), after]) };
}

/** From the first audible sample to the last. */
function trimmed(samples: Int16Array): Int16Array {
  const isAudible = (sample: number): boolean => Math.abs(sample) > AUDIBLE;
  return samples.slice(samples.findIndex(isAudible), samples.findLastIndex(isAudible) + 1);
}

const atLevel = (samples: Int16Array, decibels: number): Int16Array =>
  louder(samples, decibels - decibelsOf(samples));

const street = (): Int16Array =>
  resampled(new BackgroundNoise('street', 1).next((SAMPLE_RATE * NOISE_MS) / 1000), SAMPLE_RATE, VOICE_RATE);

/** Twice a burst of air with some voice in it, as loud as words. */
function cough(): Int16Array {
  const random = new Random(5);
  const once = (ms: number): Int16Array => {
    const voiced = speechLike(ms, VOICE_RATE);
    return voiced.map((sample, at) => {
      const fades = Math.exp((-4 * at) / voiced.length);
      return Math.round((0.3 * sample + 6_000 * (random.next() * 2 - 1)) * fades);
    });
  };
  const all = joined([once(180), silence(70, VOICE_RATE), once(140)]);
  return atLevel(all, VOICE_DECIBELS);
}
