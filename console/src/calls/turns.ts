import type { ChatMessage } from '../../../sdk/typescript/generated';

/** How long a person waited for each answer of the agent, by the index of its line: from the end of what they said, 0 where the agent cut in. */
export function waitsOf(lines: readonly ChatMessage[]): ReadonlyMap<number, number> {
  const waits = new Map<number, number>();
  let heardUntilMs: number | null = null;
  lines.forEach(({ role, start_ms: startMs, end_ms: endMs }, index) => {
    // What an action did is part of the wait.
    if (role === 'tool') return;
    if (role === 'agent' && heardUntilMs !== null) waits.set(index, Math.max(0, startMs - heardUntilMs));
    heardUntilMs = role === 'user' ? endMs : null;
  });
  return waits;
}

/** Such as `0.6 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
