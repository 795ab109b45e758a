/** Tests noise suppression before speech recognition, with the real network and generated sounds. */
import { NoiseSuppressor } from '../../../agent/audio/noise-suppressor';
import { SAMPLE_RATE, samplesIn, type Samples } from '../../../agent/audio/pcm';
import { RoomAudioInput } from '../../../agent/session/voice/room-audio';
import { initializeLogger } from '@livekit/agents';
import { suppressesNoise } from '../../../agent/session/voice/session-models';
import { speechLike } from '../../../dev/model-stand-in/speech';

initializeLogger({ pretty: false, level: 'silent' });

const SPEECH_MS = 3_000;
/** The output is one block late. The network adapts to the noise during the first second. */
const DELAY = 256;
const LEARNS_MS = 1_000;

function hiss(length: number, loudness: number): Samples {
  let state = 7;
  return Int16Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round((state / 2 ** 31 - 1) * loudness);
  });
}

const sum = (one: Samples, other: Samples): Samples =>
  one.map((sample, at) => Math.min(Math.max(sample + (other[at] ?? 0), -32_768), 32_767));

const level = (samples: Samples): number =>
  Math.sqrt(samples.reduce((power, sample) => power + sample * sample, 0) / samples.length);

const decibels = (one: number, other: number): number => 20 * Math.log10(one / other);

/** Feeds the sound in parts of 50 ms, as it arrives during a call. */
async function suppressed(sound: Samples): Promise<Samples> {
  const suppressor = await NoiseSuppressor.load();
  const pieces: number[] = [];
  for (let at = 0; at < sound.length; at += samplesIn(50))
    pieces.push(...suppressor.process(sound.slice(at, at + samplesIn(50))));
  return Int16Array.from(pieces);
}

/** Similarity of the two signals. 1 means the same waveform. */
function likeness(heard: Samples, sound: Samples): number {
  let [both, one, other] = [0, 0, 0];
  for (let at = samplesIn(LEARNS_MS); at + DELAY < heard.length; at += 1) {
    const [is, was] = [heard[at + DELAY] ?? 0, sound[at] ?? 0];
    both += is * was;
    one += is * is;
    other += was * was;
  }
  return both / Math.sqrt(one * other);
}

test('halves the level of pure noise', async () => {
  const noise = hiss(samplesIn(SPEECH_MS), 2_000);
  const heard = await suppressed(noise);
  const from = samplesIn(LEARNS_MS);
  expect(decibels(level(heard.subarray(from)), level(noise.subarray(from)))).toBeLessThan(-5.5);
});

test('keeps the level and the waveform of speech without noise', async () => {
  const speech = speechLike(SPEECH_MS, SAMPLE_RATE);
  const heard = await suppressed(speech);
  expect(Math.abs(decibels(level(heard), level(speech)))).toBeLessThan(1.5);
  expect(likeness(heard, speech)).toBeGreaterThan(0.97);
});

test('makes noisy speech more similar to the clean speech', async () => {
  const speech = speechLike(SPEECH_MS, SAMPLE_RATE);
  const noisy = sum(speech, hiss(speech.length, level(speech)));
  const heard = await suppressed(noisy);
  const delayed = new Int16Array(noisy.length);
  delayed.set(noisy.subarray(0, noisy.length - DELAY), DELAY);
  expect(likeness(heard, speech)).toBeGreaterThan(likeness(delayed, speech));
});

test('returns whole blocks and keeps the remaining samples for the next call', async () => {
  const suppressor = await NoiseSuppressor.load();
  const lengths = [100, 156, 300, 212, 0, 511].map((length) => suppressor.process(hiss(length, 500)).length);
  expect(lengths).toEqual([0, 256, 256, 256, 0, 256]);
});

test('keeps separate states for two voices', async () => {
  const speech = speechLike(500, SAMPLE_RATE);
  const alone = await suppressed(speech);
  const [one, other] = [await NoiseSuppressor.load(), await NoiseSuppressor.load()];
  other.process(hiss(samplesIn(1_000), 8_000));
  expect(one.process(speech)).toEqual(alone);
});

test.each([
  ['phone', 'telephony', true],
  ['phone', 'webrtc', false],
  ['all', 'webrtc', true],
  ['off', 'telephony', false],
] as const)(
  'decides whether AGENT_NOISE_SUPPRESSION=%s suppresses noise in a %s call: %s',
  (calls, medium, isOn) => expect(suppressesNoise(calls, { medium })).toBe(isOn),
);

test('passes denoised audio to the audio input and skips empty frames', async () => {
  const passed: number[] = [];
  const input = new RoomAudioInput({
    process: (samples) => {
      passed.push(samples.length);
      return samples.length < 100 ? new Int16Array(0) : samples.map((sample) => sample / 2);
    },
  });
  const reader = input.stream.getReader();
  input.push(new Int16Array(50).fill(1_000));
  input.push(new Int16Array(160).fill(1_000));
  const { value } = await reader.read();
  expect(passed).toEqual([50, 160]);
  expect(value?.data).toEqual(new Int16Array(160).fill(500));
  reader.releaseLock();
  input.end();
});
