/** Checks that a page plays audible sound, by its samples rather than its play state. */
import type { Frame } from 'playwright-core';

/** Waits until one of the sounds matching `selector` is louder than silence. */
export async function untilHeard(frame: Frame, selector: string): Promise<void> {
  await frame.waitForFunction((selector) => {
    const page = globalThis as any;
    page.analysers ??= new Map();
    for (const sound of page.document.querySelectorAll(selector)) {
      if (sound.srcObject === null || page.analysers.has(sound)) continue;
      const context = new page.AudioContext();
      const analyser = context.createAnalyser();
      context.createMediaStreamSource(sound.srcObject).connect(analyser);
      page.analysers.set(sound, analyser);
    }
    return [...page.analysers.values()].some((analyser: any) => {
      const samples = new Uint8Array(analyser.fftSize);
      analyser.getByteTimeDomainData(samples);
      return samples.some((sample) => Math.abs(sample - 128) > 4);
    });
  }, selector);
}
