/**
 * Hashes a string to a number in [0, 1) with FNV-1a and a final mix. Without the mix, phone numbers that differ only in their last digit
 * would land within 4 % of each other.
 */
export function hashUnit(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** Varies `baseMs` by ±30 %, depending on the seed. */
export function spreadMs(baseMs: number, seed: string): number {
  return Math.round(baseMs * (0.7 + 0.6 * hashUnit(seed)));
}

/** Makes the same choice for the same seed. */
export function pick<T>(choices: readonly [T, ...T[]], seed: string): T {
  return choices[Math.floor(hashUnit(seed) * choices.length)] ?? choices[0];
}
