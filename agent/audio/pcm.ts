/** The agent's audio format is mono with 16-bit samples. This file also writes the header of WAV files. */
export const SAMPLE_RATE = 16_000;

export type Samples = Int16Array;

export const samplesIn = (ms: number): number => Math.round((ms * SAMPLE_RATE) / 1000);
export const msOf = (samples: number): number => (samples * 1000) / SAMPLE_RATE;

export function joined(parts: readonly Samples[]): Samples {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** About -45 dB relative to full scale. A quiet line or a muted microphone stays below this, a voice exceeds it. */
const QUIET = 180;

export const isAudible = (samples: Samples): boolean => powerOf(samples) > QUIET * QUIET;

/** Converts a mean square to decibels: 0 for a square wave at full scale, negative infinity for silence. */
export const powerDecibels = (power: number): number => 10 * Math.log10(power / 32_768 ** 2);

/** Mean square of the samples; 0 if there are none. */
function powerOf(samples: Samples): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : sum / samples.length;
}

export const WAV_HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

interface WavForm {
  sampleRate: number;
  channels: number;
  /** Size of the samples that follow the header, in bytes. */
  dataBytes: number;
}

export function wavHeader({ sampleRate, channels, dataBytes }: WavForm): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  const frameBytes = channels * BYTES_PER_SAMPLE;
  header.write('RIFF', 0, 'ascii');
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'ascii');
  header.writeUInt32LE(16, 16);
  // Format 1 is uncompressed PCM.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'ascii');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
