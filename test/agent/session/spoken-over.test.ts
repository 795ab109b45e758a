/** Measures how long the user has spoken over the agent. */
import { OverlapDuration } from '../../../agent/session/turns/spoken-over';

function windows(over: OverlapDuration, count: number, isVoice: boolean, isAgentSpeaking = true): number {
  for (let nth = 0; nth < count; nth += 1) over.add(32, { isVoice, isAgentSpeaking });
  return over.ms;
}

test('counts voice over the agent, without the short silences in it', () => {
  const over = new OverlapDuration();
  expect(windows(over, 10, true)).toBe(320);
  expect(windows(over, 40, false)).toBe(320);
  expect(windows(over, 10, true)).toBe(640);
});

test('starts over after two seconds of silence', () => {
  const over = new OverlapDuration();
  windows(over, 10, true);
  expect(windows(over, 63, false)).toBe(320);
  expect(windows(over, 1, true)).toBe(32);
});

test('ignores voice while the agent is silent, and resets then', () => {
  const over = new OverlapDuration();
  windows(over, 10, true);
  expect(windows(over, 30, true, false)).toBe(0);
  expect(windows(over, 2, true)).toBe(64);
});
