export const WAV_HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

export interface WavForm {
  sampleRate: number;
  channels: number;
  /** Size of the samples that follow, without the header. */
  dataBytes: number;
}

/** Returns the header of a WAV file of 16-bit samples. */
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
