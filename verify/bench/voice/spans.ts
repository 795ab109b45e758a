/** Where somebody speaks on a track. */
import { STEP_MS, type LoudStep } from './loudness';

export interface Span {
  fromMs: number;
  untilMs: number;
}

/** About -43 dB below full scale: a quiet line is below it, any voice above. */
export const AUDIBLE = 230;
/** A shorter silence is one between syllables or words. */
export const BRIDGED_MS = 250;

/** From the first audible step to the last, where less than `bridgedMs` of silence lies between. */
export function spansOf(steps: readonly LoudStep[], bridgedMs = BRIDGED_MS): Span[] {
  const spans: Span[] = [];
  for (const { atMs, loudness } of steps) {
    if (loudness < AUDIBLE) continue;
    const last = spans.at(-1);
    if (last !== undefined && atMs - last.untilMs < bridgedMs) last.untilMs = atMs + STEP_MS;
    else spans.push({ fromMs: atMs, untilMs: atMs + STEP_MS });
  }
  return spans;
}
