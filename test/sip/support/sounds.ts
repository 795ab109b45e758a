/** Generates the sounds that phones play, in the format that SIPp sends: µ-law at 8 kHz without a header. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { speechLike } from '../../../dev/model-stand-in/speech';

const RATE = 8_000;
/** Ten seconds, which is a whole number of 20 ms packets. */
const SILENCE = Buffer.alloc(10 * RATE, 0xff);
const QUIET_S = 120;

/** Writes the sound files into SIPp's working folder. */
export async function writeSounds(folder: string): Promise<void> {
  const chatter = Buffer.concat([speech(800), SILENCE.subarray(0, 2 * RATE)]);
  const sounds = {
    'silence.ulaw': SILENCE,
    // Silence after the question leaves time for the answer.
    'question.ulaw': Buffer.concat([SILENCE.subarray(0, RATE), speech(2_000), SILENCE]),
    'chatter.ulaw': chatter,
    'farewell.ulaw': Buffer.concat([...Array<Buffer>(10).fill(chatter), Buffer.alloc(QUIET_S * RATE, 0xff)]),
    // Longer than a person's greeting.
    'announcement.ulaw': Buffer.concat([SILENCE.subarray(0, RATE / 2), speech(9_000), SILENCE]),
  };
  await Promise.all(Object.entries(sounds).map(([name, sound]) => writeFile(join(folder, name), sound)));
}

const speech = (ms: number): Buffer => Buffer.from(Array.from(speechLike(ms, RATE), muLaw));

const BIAS = 0x84;
const LOUDEST = 32_635;

/** Encodes a 16-bit sample as G.711 µ-law. */
export function muLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const biased = Math.min(Math.abs(sample), LOUDEST) + BIAS;
  const exponent = Math.floor(Math.log2(biased)) - 7;
  const mantissa = (biased >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}
