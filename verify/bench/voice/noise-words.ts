/** What noise suppression does to what a recogniser hears: the words that it gets wrong, with and without it. */
import { BackgroundNoise, mixed } from '../../../agent/audio/background-noise';
import { NoiseSuppressor } from '../../../agent/audio/noise-suppression/noise-suppressor';
import { decibelsOf, joined, SAMPLE_RATE, samplesIn } from '../../../agent/audio/pcm';
import type { LocalSpeech } from '../../../dev/talk/caller/local-speech';
import { VOICE_RATE } from '../../../dev/talk/caller/room-caller';
import { figure, type Figure } from '../figure';
import { louder, resampled, silence, TELEPHONE_RATE } from '../wave';
import { errorRate, wordErrors, type WordErrors } from './word-errors';

/** Pairs: the recogniser takes as long for a word as for half a minute. */
const SAID = [
  'The clinic is open on every day but Sunday. Please bring the letter from your doctor.',
  'My daughter has had a cold for a week. Can we come to see you tomorrow morning?',
  'I will be late because of the traffic. Is it possible to move the appointment?',
  'There is a pharmacy next to the station. How long does the whole visit take?',
  'I have lost the paper with the address. Could you send it to me again?',
] as const;

/** The voice above the noise, in decibels; null for none. */
const CONDITIONS = [
  { name: 'clean', noise: null, decibels: 0 },
  { name: 'hiss 10 dB', noise: 'white_noise', decibels: 10 },
  { name: 'street 5 dB', noise: 'street', decibels: 5 },
  { name: 'cafe 5 dB', noise: 'cafe', decibels: 5 },
] as const;

/** The network learns the noise first, as in a call. */
const LEARNS_MS = 1_000;
const PIECE_MS = 50;

/** Word errors in a telephone's band, of the local recogniser. About a minute. */
export async function measureNoise(speech: LocalSpeech, say: (line: string) => void): Promise<Figure[]> {
  const clips: { words: string; samples: Int16Array }[] = [];
  for (const words of SAID) clips.push({ words, samples: await telephoned(speech, words) });
  const figures: Figure[] = [];
  for (const { name, noise, decibels } of CONDITIONS) {
    const [as, less]: [WordErrors[], WordErrors[]] = [[], []];
    for (const { words, samples } of clips) {
      const heard = noise === null ? samples : withNoise(samples, noise, decibels);
      as.push(wordErrors(words, await transcript(speech, heard)));
      less.push(wordErrors(words, await transcript(speech, await suppressed(heard))));
    }
    say(`Words heard in noise: ${name}.`);
    figures.push(
      figure(`telephone, ${name}: words misheard as they were`, errorRate(as), '%'),
      figure(`telephone, ${name}: words misheard, noise suppressed`, errorRate(less), '%'),
    );
  }
  return figures;
}

async function telephoned(speech: LocalSpeech, words: string): Promise<Int16Array> {
  const narrow = resampled(await speech.samples(words), VOICE_RATE, TELEPHONE_RATE);
  return joined([silence(LEARNS_MS, SAMPLE_RATE), resampled(narrow, TELEPHONE_RATE, SAMPLE_RATE)]);
}

/** Both in the same band. */
function withNoise(voice: Int16Array, noise: string, decibels: number): Int16Array {
  const wide = new BackgroundNoise(noise, 1).next(voice.length);
  const narrow = resampled(resampled(wide, SAMPLE_RATE, TELEPHONE_RATE), TELEPHONE_RATE, SAMPLE_RATE);
  const level = decibelsOf(voice.subarray(samplesIn(LEARNS_MS))) - decibels;
  return mixed(voice, louder(narrow, level - decibelsOf(narrow)).slice(0, voice.length));
}

async function suppressed(samples: Int16Array): Promise<Int16Array> {
  const suppressor = await NoiseSuppressor.load();
  const pieces: Int16Array[] = [];
  for (let at = 0; at < samples.length; at += samplesIn(PIECE_MS))
    pieces.push(suppressor.process(samples.slice(at, at + samplesIn(PIECE_MS))));
  return joined(pieces);
}

const transcript = (speech: LocalSpeech, samples: Int16Array): Promise<string> =>
  speech.transcript(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), SAMPLE_RATE);
