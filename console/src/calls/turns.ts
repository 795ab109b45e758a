import type { ChatMessage } from '../../../sdk/typescript/generated';

/** Response times by line index, from the end of the person's words. It's 0 if the agent interrupted. */
export function waitsOf(lines: readonly ChatMessage[]): ReadonlyMap<number, number> {
  const waits = new Map<number, number>();
  let heardUntilMs: number | null = null;
  lines.forEach(({ role, start_ms: startMs, end_ms: endMs }, index) => {
    // The time of an action counts as part of the response time.
    if (role === 'tool') return;
    if (role === 'agent' && heardUntilMs !== null) waits.set(index, Math.max(0, startMs - heardUntilMs));
    heardUntilMs = role === 'user' ? endMs : null;
  });
  return waits;
}

/** For example `0.6 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
