/** Synthesises background noise and tones, so that we don't have to ship, license or load recordings. */
import { SAMPLE_RATE, samplesIn, type Samples, joined } from './pcm';

/** Mix of one kind of background noise. Each share ranges from 0 to 1. */
interface NoiseProfile {
  /** Low-frequency noise, such as air conditioning and machines. */
  hum: number;
  hiss: number;
  /** Murmuring voices: bands of noise that swell and fade like speech. */
  murmur: number;
  /** Average number of short knocks per second. */
  knocksPerSecond: number;
}

const PROFILES: Readonly<Record<string, NoiseProfile>> = {
  office: { hum: 0.25, hiss: 0.05, murmur: 0.25, knocksPerSecond: 1.5 },
  cafe: { hum: 0.15, hiss: 0.06, murmur: 0.6, knocksPerSecond: 0.8 },
  call_center: { hum: 0.12, hiss: 0.05, murmur: 0.7, knocksPerSecond: 1 },
  street: { hum: 0.7, hiss: 0.15, murmur: 0.15, knocksPerSecond: 0.1 },
  room: { hum: 0.2, hiss: 0.06, murmur: 0, knocksPerSecond: 0 },
  white_noise: { hum: 0, hiss: 0.5, murmur: 0, knocksPerSecond: 0 },
};
const ALIASES: Readonly<Record<string, string>> = {
  coffee_shop: 'cafe',
  restaurant: 'cafe',
  callcenter: 'call_center',
  call_centre: 'call_center',
  traffic: 'street',
  ambient: 'room',
  white: 'white_noise',
};
const LOOP_MS = 8_000;
/** Peak of the noise at full volume. A voice is still much louder. */
const PEAK_AMPLITUDE = 0.12 * 32_767;
const LOUDNESS = 0.3 * 32_767;

export class BackgroundNoise {
  private readonly loop: Samples;
  private at = 0;

  /** `volume` ranges from 0 to 1. */
  constructor(sound: string, volume: number) {
    const name = sound
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    const profile = PROFILES[name] ?? PROFILES[ALIASES[name] ?? 'office'] ?? PROFILES.room;
    this.loop = profile === undefined ? new Int16Array(1) : renderLoop(profile, volume);
  }

  next(samples: number): Samples {
    const piece = new Int16Array(samples);
    for (let index = 0; index < samples; index += 1) {
      piece[index] = this.loop[this.at] ?? 0;
      this.at = (this.at + 1) % this.loop.length;
    }
    return piece;
  }
}

function renderLoop(profile: NoiseProfile, volume: number): Samples {
  const random = seededRandom(7);
  const length = samplesIn(LOOP_MS);
  const sound = new Float64Array(length);
  let [low, band, last] = [0, 0, 0];
  for (let at = 0; at < length; at += 1) {
    const white = random() * 2 - 1;
    low += 0.02 * (white - low);
    band += 0.25 * (white - band) - 0.02 * last;
    last += band - 0.05 * last;
    const swelling = murmurLevel(at / SAMPLE_RATE);
    sound[at] = profile.hum * low * 6 + profile.hiss * white * 0.5 + profile.murmur * band * 0.8 * swelling;
  }
  addKnocks(sound, profile.knocksPerSecond, random);
  return scaled(sound, volume);
}

/** Simulates several talkers. Each wave has a whole number of periods in the loop, so that the loop repeats without a click. */
function murmurLevel(second: number): number {
  const waves = [3, 5, 8, 13].map((times) =>
    Math.sin((2 * Math.PI * times * second * 1000) / LOOP_MS + times),
  );
  return 0.4 + 0.15 * waves.reduce((sum, wave) => sum + wave, 0);
}

function addKnocks(sound: Float64Array, aSecond: number, random: () => number): void {
  const times = Math.round((aSecond * LOOP_MS) / 1000);
  for (let nth = 0; nth < times; nth += 1) {
    const start = Math.floor(random() * (sound.length - SAMPLE_RATE / 10));
    const loudness = 0.3 + 0.4 * random();
    for (let at = 0; at < SAMPLE_RATE / 50; at += 1) {
      sound[start + at] = (sound[start + at] ?? 0) + loudness * (random() * 2 - 1) * Math.exp(-at / 60);
    }
  }
}

function scaled(sound: Float64Array, volume: number): Samples {
  const loudest = sound.reduce((max, sample) => Math.max(max, Math.abs(sample)), 1e-9);
  const factor = (PEAK_AMPLITUDE * Math.min(Math.max(volume, 0), 1)) / loudest;
  return Int16Array.from(sound, (sample) => Math.round(sample * factor));
}

/** Returns a generator of numbers in [0, 1). Every run yields the same sequence, so that tests can check the noise. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Adds both signals and clips the sum to the range of 16-bit samples. */
export function mixed(one: Samples, other: Samples): Samples {
  const length = Math.max(one.length, other.length);
  return Int16Array.from({ length }, (_none, at) =>
    Math.min(Math.max((one[at] ?? 0) + (other[at] ?? 0), -32_768), 32_767),
  );
}

/** Two rising notes that last half a second in total. */
export function chime(): Samples {
  return joined([note(660, 180), note(880, 320)]);
}

/** A telephone busy tone that alternates half a second of tone with half a second of silence. */
export function busyTone(times: number): Samples {
  const once = [steady(425, 500), new Int16Array(samplesIn(500))];
  return joined(Array.from({ length: times }, () => once).flat());
}

/** A short tone that fades in and out to avoid clicks. */
const note = (hertz: number, ms: number): Samples =>
  wave(hertz, ms, (share) => Math.min(1, share * 20) * Math.exp(-4 * share) * (1 - share));

const steady = (hertz: number, ms: number): Samples =>
  wave(hertz, ms, (share) => Math.min(1, share * 50, (1 - share) * 50));

/** `envelope` maps the elapsed share of the tone to its loudness. Both range from 0 to 1. */
function wave(hertz: number, ms: number, envelope: (share: number) => number): Samples {
  const length = samplesIn(ms);
  return Int16Array.from({ length }, (_none, at) =>
    Math.round(LOUDNESS * envelope(at / length) * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE)),
  );
}
