/** How long somebody has spoken over the agent. */
import { SpokenOver } from '../../../agent/session/turns/spoken-over';

function windows(over: SpokenOver, count: number, isVoice: boolean, isAgentSpeaking = true): number {
  for (let nth = 0; nth < count; nth += 1) over.add(32, { isVoice, isAgentSpeaking });
  return over.ms;
}

test('voice over the agent counts, with short silences in it left out', () => {
  const over = new SpokenOver();
  expect(windows(over, 10, true)).toBe(320);
  expect(windows(over, 40, false)).toBe(320);
  expect(windows(over, 10, true)).toBe(640);
});

test('after two seconds of silence it counts anew', () => {
  const over = new SpokenOver();
  windows(over, 10, true);
  expect(windows(over, 63, false)).toBe(320);
  expect(windows(over, 1, true)).toBe(32);
});

test('what is said while the agent is silent does not count, and ends what was before it', () => {
  const over = new SpokenOver();
  windows(over, 10, true);
  expect(windows(over, 30, true, false)).toBe(0);
  expect(windows(over, 2, true)).toBe(64);
});
