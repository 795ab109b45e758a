/** Tones for an agent without TTS, made of sine waves. */
import { joined, SAMPLE_RATE, samplesIn, type Samples } from './pcm';

const LOUDNESS = 0.3 * 32_767;

/** Two notes, the second one higher. Lasts half a second. */
export function chime(): Samples {
  return joined([note(660, 180), note(880, 320)]);
}

/** A telephone network's busy tone: half a second of tone, half a second of silence. */
export function busyTone(times: number): Samples {
  const once = [steady(425, 500), new Int16Array(samplesIn(500))];
  return joined(Array.from({ length: times }, () => once).flat());
}

/** Has attack and decay, so that it begins and ends without a click. */
const note = (hertz: number, ms: number): Samples =>
  wave(hertz, ms, (share) => Math.min(1, share * 20) * Math.exp(-4 * share) * (1 - share));

const steady = (hertz: number, ms: number): Samples =>
  wave(hertz, ms, (share) => Math.min(1, share * 50, (1 - share) * 50));

/** `envelope` maps the elapsed share of the tone to its loudness, from 0 to 1. */
function wave(hertz: number, ms: number, envelope: (share: number) => number): Samples {
  const length = samplesIn(ms);
  return Int16Array.from({ length }, (_none, at) =>
    Math.round(LOUDNESS * envelope(at / length) * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE)),
  );
}
