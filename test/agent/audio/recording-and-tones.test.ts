import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAudible, msOf, SAMPLE_RATE, samplesIn, wavHeader } from '../../../agent/audio/pcm';
import { Recording, ChannelAligner } from '../../../agent/audio/recording';
import { busyTone, chime } from '../../../agent/audio/sounds';

const constant = (value: number, ms: number) => new Int16Array(samplesIn(ms)).fill(value);

describe('tones', () => {
  test('plays a chime that is audible, shorter than a second and free of clicks', () => {
    const samples = chime();
    expect(isAudible(samples)).toBe(true);
    expect(msOf(samples.length)).toBe(500);
    expect([Math.abs(samples[0] ?? 1), Math.abs(samples.at(-1) ?? 1)].every((edge) => edge < 50)).toBe(true);
    expect(Math.max(...samples)).toBeLessThan(32_767);
  });

  test('alternates half a second of busy tone with half a second of silence', () => {
    const samples = busyTone(2);
    const halves = [0, 500, 1000, 1500].map((ms) => samples.subarray(samplesIn(ms), samplesIn(ms + 500)));
    expect(halves.map(isAudible)).toEqual([true, false, true, false]);
  });
});

test.each([
  ['nothing', new Int16Array(0), false],
  ['silence', constant(0, 50), false],
  ["a line's noise", constant(100, 50), false],
  ['a voice', constant(1000, 50), true],
])('decides whether %s is audible', (_what, samples, audible) => expect(isAudible(samples)).toBe(audible));

describe('the channel aligner', () => {
  const sideOf = (both: Int16Array, side: 0 | 1) => both.filter((_sample, at) => at % 2 === side);

  test('aligns received and played samples in time, with silence between them', () => {
    const sides = new ChannelAligner();
    sides.add('received', constant(1, 100), 0);
    sides.add('played', constant(2, 100), 1000);
    const both = sides.takeUntil(1200);
    expect(both.length).toBe(2 * samplesIn(1200));
    expect([...new Set(sideOf(both, 0).subarray(0, samplesIn(100)))]).toEqual([1]);
    expect([...new Set(sideOf(both, 0).subarray(samplesIn(100)))]).toEqual([0]);
    expect([...new Set(sideOf(both, 1).subarray(samplesIn(1000), samplesIn(1100)))]).toEqual([2]);
    expect([...new Set(sideOf(both, 1).subarray(0, samplesIn(1000)))]).toEqual([0]);
  });

  test('joins frames without a gap when they arrive slightly early or late', () => {
    const sides = new ChannelAligner();
    for (const [n, late] of [0, 30, -20, 90, 0].entries())
      sides.add('received', constant(1, 50), n * 50 + late);
    expect([...new Set(sideOf(sides.takeUntil(250), 0))]).toEqual([1]);
  });

  test('returns the same samples in several reads as in one read', () => {
    const [parts, whole] = [new ChannelAligner(), new ChannelAligner()];
    for (const sides of [parts, whole]) {
      sides.add('received', constant(1, 730), 0);
      sides.add('played', constant(2, 310), 450);
    }
    const taken = [100, 500, 777, 1000].map((ms) => [...parts.takeUntil(ms)]).flat();
    expect(taken).toEqual([...whole.takeUntil(1000)]);
  });

  test('drops the last unread samples of a channel, and adds the next samples in their place', () => {
    const sides = new ChannelAligner();
    sides.add('played', constant(2, 60), 0);
    sides.add('played', constant(2, 40), 60);
    const first = [...sideOf(sides.takeUntil(20), 1)];
    sides.dropLast('played', 60);
    sides.add('played', constant(3, 10), 40);
    sides.dropLast('received', 500);
    const rest = [...sideOf(sides.takeUntil(100), 1)];
    const runs = [2, 3, 0].map((value) => [...first, ...rest].filter((sample) => sample === value).length);
    expect(runs).toEqual([samplesIn(40), samplesIn(10), samplesIn(50)]);
    sides.dropLast('played', 500);
    sides.add('played', constant(4, 10), 100);
    expect(sideOf(sides.takeUntil(110), 1)[0]).toBe(4);
  });

  test('appends samples that arrive after their position was already read', () => {
    const sides = new ChannelAligner();
    sides.takeUntil(1000);
    sides.add('received', constant(1, 100), 0);
    expect([...new Set(sideOf(sides.takeUntil(1100), 0))]).toEqual([1]);
  });
});

test('writes the sample rate, channels and data size into a WAV header', () => {
  const header = wavHeader({ sampleRate: SAMPLE_RATE, channels: 2, dataBytes: 1000 });
  expect(header.toString('latin1', 0, 4) + header.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  expect([header.readUInt32LE(4), header.readUInt32LE(40)]).toEqual([1036, 1000]);
  expect([header.readUInt16LE(22), header.readUInt32LE(24), header.readUInt32LE(28)]).toEqual([
    2, 16_000, 64_000,
  ]);
});

describe('a recording', () => {
  async function bytesOf(recording: Recording): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of recording.content()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  test('returns a WAV file with received audio on the left, and the same file on a second read', async () => {
    const recording = await Recording.start();
    recording.received(constant(5, 100));
    recording.played(constant(7, 20));
    await recording.end();
    const wav = await bytesOf(recording);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect(await bytesOf(recording)).toEqual(wav);
    await recording.discard();
  });

  test('leaves no file in the folder, even while the recording is being written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
    const recording = await Recording.start(folder);
    recording.received(constant(5, 100));
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
    await recording.discard();
  });
});
