/** What callers do over an agent that speaks: coughs, backchannels, a television, and real interruptions. */
import { seededRandom } from '../../../agent/audio/background-noise';
import { SAMPLE_RATE, samplesIn, type Samples } from '../../../agent/audio/pcm';
import type { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import { SENTENCES } from '../turns/sentences';
import { spokenBy } from '../turns/speech';
import { louder } from '../wave';

export const KINDS = ['cough', 'hm', 'backchannel', 'background voice', 'interruption'] as const;
export type Kind = (typeof KINDS)[number];

export interface Sound {
  kind: Kind;
  /** What was said; empty for a cough. */
  words: string;
  samples: Samples;
}

/** Of each kind. */
const CASES = 50;
const HMS = ['Hmm.', 'Hm.', 'Mhm.', 'Mm-hmm.', 'Hmm, hmm.'];
const BACKCHANNELS = [
  'Yes.',
  'Yeah.',
  'Okay.',
  'Right.',
  'I see.',
  'Sure.',
  'Yes, yes.',
  'Yeah, okay.',
  'Oh.',
  'Uh-huh.',
];
const INTERRUPTIONS = [
  'Wait, which Friday?',
  'Stop, please.',
  'No, that is wrong.',
  'Sorry, can I ask something?',
  'Hold on a second.',
  'I already told you that.',
  'Can I speak to a person?',
  'How much does it cost?',
  'That is not my name.',
  'Please call me tomorrow.',
];
/** Below the caller's own voice. */
const BACKGROUND_DECIBELS = -20;
/** Callers are nearer to the microphone, or further away; and slower, or faster and higher. */
const LEVELS_DECIBELS = [0, -4, 3, -2, 2] as const;
const SPEEDS = [1, 0.93, 1.08] as const;

/** The same in each run, in an order that mixes the kinds. */
export async function soundsBy(voice: LocalSpeech): Promise<Sound[]> {
  const known = new Map<string, Samples>();
  const say = async (text: string): Promise<Samples> => {
    const samples = known.get(text) ?? (await spokenBy(voice, text));
    known.set(text, samples);
    return samples;
  };
  const oneOf = (texts: readonly string[], nth: number): string => texts[nth % texts.length] ?? '';
  const sounds: Sound[] = [];
  for (let nth = 0; nth < CASES; nth += 1) {
    const level = LEVELS_DECIBELS[nth % LEVELS_DECIBELS.length] ?? 0;
    const vary = (samples: Samples, decibels: number = level): Samples =>
      louder(faster(samples, SPEEDS[nth % SPEEDS.length] ?? 1), decibels);
    const spoken = async (kind: Kind, words: string, decibels?: number): Promise<Sound> => ({
      kind,
      words,
      samples: vary(await say(words), decibels),
    });
    sounds.push(
      { kind: 'cough', words: '', samples: cough(nth) },
      await spoken('hm', oneOf(HMS, nth)),
      await spoken('backchannel', oneOf(BACKCHANNELS, nth)),
      await spoken(
        'background voice',
        (SENTENCES[nth % SENTENCES.length] ?? []).join(' '),
        BACKGROUND_DECIBELS,
      ),
      await spoken('interruption', oneOf(INTERRUPTIONS, nth)),
    );
  }
  return sounds;
}

const BURST_MS = 130;
const BETWEEN_MS = 90;
const COUGH_PEAK = 12_000;
/** Of the throat, which every cough goes through. */
const THROAT_HERTZ = [500, 1_400, 2_600] as const;

/** One to three bursts of noise that begin at once and fade, as a throat forms them. */
function cough(nth: number): Samples {
  const random = seededRandom(nth + 1);
  const bursts = 1 + (nth % 3);
  const [burst, between] = [samplesIn(BURST_MS + 20 * (nth % 5)), samplesIn(BETWEEN_MS)];
  const sound = new Float64Array(bursts * (burst + between));
  for (let each = 0; each < bursts; each += 1)
    for (let at = 0; at < burst; at += 1)
      sound[each * (burst + between) + at] = (2 * random() - 1) * Math.exp((-4 * at) / burst);
  const formed = THROAT_HERTZ.map((hertz, index) =>
    resonance(sound, hertz * (1 + 0.05 * (nth % 4)), 200 + 100 * index),
  );
  const sum = sound.map((sample, at) => 0.3 * sample + formed.reduce((all, one) => all + (one[at] ?? 0), 0));
  const loudest = sum.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-9);
  return Int16Array.from(sum, (sample) => Math.round((sample / loudest) * COUGH_PEAK));
}

/** A two-pole filter whose gain at its frequency is about 1. */
function resonance(sound: Float64Array, hertz: number, bandwidth: number): Float64Array {
  const radius = Math.exp((-Math.PI * bandwidth) / SAMPLE_RATE);
  const first = 2 * radius * Math.cos((2 * Math.PI * hertz) / SAMPLE_RATE);
  const out = new Float64Array(sound.length);
  for (let at = 0; at < sound.length; at += 1)
    out[at] =
      (1 - radius) * (sound[at] ?? 0) + first * (out[at - 1] ?? 0) - radius * radius * (out[at - 2] ?? 0);
  return out;
}

/** Also higher, as a tape that runs faster. */
const faster = (samples: Samples, speed: number): Samples =>
  Int16Array.from(
    { length: Math.floor(samples.length / speed) },
    (_none, at) => samples[Math.floor(at * speed)] ?? 0,
  );
