/**
 * Generates sound that resembles speech: a buzz like that of vocal cords, shaped by the resonances of vowels and split into syllables.
 * Voice activity detectors accept it as a voice, unlike a tone or noise.
 */
const VOWELS_HERTZ: readonly (readonly [number, number, number])[] = [
  [730, 1_090, 2_440],
  [270, 2_290, 3_010],
  [300, 870, 2_240],
  [530, 1_840, 2_480],
  [570, 840, 2_410],
];
const BANDWIDTHS_HERTZ = [80, 100, 120] as const;
const SYLLABLE_MS = 180;
/** Share of each syllable that is silent, at its end. */
const GAP_SHARE = 0.15;
const PITCH_HERTZ = 120;
/** About the speed at which people speak. */
const MS_PER_CHARACTER = 60;
const PEAK = 0.5 * 32_767;

/** Returns a sound that lasts as long as speaking the text would, and at least one syllable. */
export function speechOf(text: string, sampleRate: number, speed = 1): Int16Array {
  return speechLike(Math.max(SYLLABLE_MS, (text.length * MS_PER_CHARACTER) / speed), sampleRate);
}

export function speechLike(durationMs: number, sampleRate: number): Int16Array {
  const length = Math.round((durationMs * sampleRate) / 1000);
  const sound = new Float64Array(length);
  const syllable = Math.round((SYLLABLE_MS * sampleRate) / 1000);
  for (let start = 0, nth = 0; start < length; start += syllable, nth += 1) {
    const end = Math.min(start + syllable, length);
    sound.set(formed(buzz(start, end, nth, sampleRate), vowelOf(nth), sampleRate), start);
  }
  const loudest = sound.reduce((max, sample) => Math.max(max, Math.abs(sample)), 1e-9);
  return Int16Array.from(sound, (sample) => Math.round((sample / loudest) * PEAK));
}

const vowelOf = (nth: number): readonly [number, number, number] =>
  VOWELS_HERTZ[(nth * 3) % VOWELS_HERTZ.length] ?? [500, 1_500, 2_500];

/** Returns pulses whose pitch follows the melody of a sentence and whose volume swells and fades with the syllable. */
function buzz(start: number, end: number, nth: number, sampleRate: number): Float64Array {
  const length = end - start;
  const voiced = Math.round(length * (1 - GAP_SHARE));
  const pitch = PITCH_HERTZ * (1 + 0.15 * Math.sin(nth * 1.7));
  const pulses = new Float64Array(length);
  let phase = 0;
  for (let at = 0; at < voiced; at += 1) {
    phase += pitch / sampleRate;
    if (phase < 1) continue;
    phase -= 1;
    pulses[at] = Math.sin((Math.PI * at) / voiced);
  }
  return pulses;
}

/** Applies the resonances one after the other. */
function formed(
  source: Float64Array,
  vowel: readonly [number, number, number],
  sampleRate: number,
): Float64Array {
  return vowel.reduce(
    (sound, hertz, index) => resonance(sound, hertz, BANDWIDTHS_HERTZ[index] ?? 100, sampleRate),
    source,
  );
}

/** A two-pole filter. */
function resonance(sound: Float64Array, hertz: number, bandwidth: number, sampleRate: number): Float64Array {
  const radius = Math.exp((-Math.PI * bandwidth) / sampleRate);
  const first = 2 * radius * Math.cos((2 * Math.PI * hertz) / sampleRate);
  const second = -radius * radius;
  const out = new Float64Array(sound.length);
  for (let at = 0; at < sound.length; at += 1) {
    out[at] = (sound[at] ?? 0) + first * (out[at - 1] ?? 0) + second * (out[at - 2] ?? 0);
  }
  return out;
}
