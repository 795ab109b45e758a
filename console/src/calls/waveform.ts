/** Splits the samples into `buckets` equal parts and returns the peak of each, from 0 to 1. */
export function peaksOf(samples: Float32Array, buckets: number): number[] {
  const size = Math.max(1, Math.ceil(samples.length / buckets));
  return Array.from({ length: buckets }, (_, bucket) => {
    let peak = 0;
    const end = Math.min(samples.length, (bucket + 1) * size);
    for (let at = bucket * size; at < end; at += 1) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    return Math.min(1, peak);
  });
}

/** Returns an SVG path around `middle`. A peak of 1 is `reach` high, and each peak is one unit wide. */
export function outlineOf(peaks: readonly number[], middle: number, reach: number): string {
  // The minimum height makes silence visible as a line.
  const heights = peaks.map((peak) => Math.max(0.4, peak * reach));
  const upper = heights.map((height, at) => `${at},${(middle - height).toFixed(1)}`);
  const lower = heights.map((height, at) => `${at},${(middle + height).toFixed(1)}`).reverse();
  return `M${upper.join('L')}L${lower.join('L')}Z`;
}
