const RATE = 8000;
const HEADER = 44;

/** Returns a recording whose two channels alternate every two seconds, starting with the agent's channel (the second). */
export function stereoWav(seconds: number): Buffer {
  const frames = seconds * RATE;
  const wav = Buffer.alloc(HEADER + frames * 4);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(frames * 4, 40);
  for (let frame = 0; frame < frames; frame += 1) {
    const second = frame / RATE;
    const channel = Math.floor(second / 2) % 2 === 0 ? 1 : 0;
    const swell = Math.abs(Math.sin(second * 5)) * Math.sin((second % 2) * (Math.PI / 2));
    const sample = Math.round(Math.sin(frame * 0.35) * swell * 14_000);
    wav.writeInt16LE(sample, HEADER + frame * 4 + channel * 2);
  }
  return wav;
}
