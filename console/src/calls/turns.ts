import type { ChatMessage } from '../../../sdk/typescript/generated';

/** Returns response times by line index, measured from the end of the caller's words. 0 means that the agent interrupted. */
export function waitsOf(lines: readonly ChatMessage[]): ReadonlyMap<number, number> {
  const waits = new Map<number, number>();
  let heardUntilMs: number | null = null;
  lines.forEach(({ role, start_ms: startMs, end_ms: endMs }, index) => {
    // Skips actions, so that their time is part of the response time.
    if (role === 'tool') return;
    if (role === 'agent' && heardUntilMs !== null) waits.set(index, Math.max(0, startMs - heardUntilMs));
    heardUntilMs = role === 'user' ? endMs : null;
  });
  return waits;
}

/** For example `0.6 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
