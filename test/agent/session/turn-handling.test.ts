import { turnHandlingFor } from '../../../agent/session/turns/turn-handling';
import { IncompleteEntryDetector, seemsIncomplete } from '../../../agent/session/turns/incomplete-entry';
import { resolveConfig } from '../../../workflows/domain/agent-config';

const style = (more: object) => resolveConfig({ experience: { conversational_experience: more } });

test('the more eager an agent, the less silence it waits for', () => {
  const waits = ['slow', 'balanced', 'fast'].map(
    (eagerness_to_speak) => turnHandlingFor(style({ eagerness_to_speak })).endpointing?.minDelay ?? 0,
  );
  expect(waits).toEqual([1_200, 500, 200]);
});

test('only an eager agent begins to think before its turn has come', () => {
  expect(turnHandlingFor(style({ eagerness_to_speak: 'fast' })).preemptiveGeneration).toEqual({
    enabled: true,
  });
  expect(turnHandlingFor(style({})).preemptiveGeneration).toEqual({ enabled: false });
});

test.each([
  [undefined, 'vad', 3_000],
  [null, 'vad', 3_000],
  [{}, 'patient', 3_000],
  [{ enabled: false, wait_seconds: 8 }, 'vad', 3_000],
  [{ wait_seconds: 8 }, 'patient', 8_000],
  [{ wait_seconds: '8' }, 'patient', 3_000],
])('patience stored as %j', (patience_with_user_entries, ear, maxDelay) => {
  const { turnDetection, endpointing } = turnHandlingFor(style({ patience_with_user_entries }));
  expect([
    turnDetection instanceof IncompleteEntryDetector ? 'patient' : turnDetection,
    endpointing?.maxDelay,
  ]).toEqual([ear, maxDelay]);
});

test('a patient agent waits as long as it is asked to, never less than an impatient one', () => {
  const { endpointing } = turnHandlingFor(style({ patience_with_user_entries: { wait_seconds: 8 } }));
  expect(endpointing).toMatchObject({ minDelay: 500, maxDelay: 8_000 });
});

test.each([
  ['My number is 98765', true],
  ['My number is 9876543210', false],
  ['nine eight seven', true],
  ['nine eight seven six five four three two one zero', false],
  ['I would like to pay and', true],
  ['मेरा नाम है और', true],
  ['Well, I was thinking…', true],
  ['I want to pay tomorrow,', true],
  ['I want to pay tomorrow.', false],
  ['It is 5 PM', false],
  ['Room 42', false],
  ['', false],
])('%j is unfinished: %s', (words, expected) => {
  expect(seemsIncomplete(words)).toBe(expected);
});

test('only what the other side said last is judged', async () => {
  const ear = new IncompleteEntryDetector();
  const said = (role: string, textContent: string): any => ({ type: 'message', role, textContent });
  expect(await ear.predictEndOfTurn({ items: [said('user', 'and')] })).toBeLessThan(
    await ear.unlikelyThreshold(),
  );
  expect(await ear.predictEndOfTurn({ items: [said('assistant', 'and')] })).toBe(1);
  expect(await ear.predictEndOfTurn({ items: [] })).toBe(1);
});
