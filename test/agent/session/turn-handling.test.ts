import { turnHandlingFor as handlingFor } from '../../../agent/session/turns/turn-handling';
import { IncompleteEntryDetector, seemsIncomplete } from '../../../agent/session/turns/end-of-turn';
import { resolveConfig } from '../../../domain/agent-config';

const turnHandlingFor = (config: ReturnType<typeof style>) => handlingFor(config, null);
const style = (more: object) => resolveConfig({ experience: { conversational_experience: more } });

test('uses a shorter endpointing delay for a more eager agent', () => {
  const waits = ['slow', 'balanced', 'fast'].map(
    (eagerness_to_speak) => turnHandlingFor(style({ eagerness_to_speak })).endpointing?.minDelay ?? 0,
  );
  expect(waits).toEqual([1_200, 500, 200]);
});

test('starts the model and the voice before the end of the turn is certain only for a fast agent', () => {
  expect(turnHandlingFor(style({ eagerness_to_speak: 'fast' })).preemptiveGeneration).toEqual({
    enabled: true,
    preemptiveTts: true,
  });
  for (const config of [style({}), style({ eagerness_to_speak: 'slow' })])
    expect(turnHandlingFor(config).preemptiveGeneration).toEqual({ enabled: false, preemptiveTts: false });
});

test.each([
  [undefined, 'vad', 3_000],
  [null, 'vad', 3_000],
  [{}, 'patient', 3_000],
  [{ enabled: false, wait_seconds: 8 }, 'vad', 3_000],
  [{ wait_seconds: 8 }, 'patient', 8_000],
  [{ wait_seconds: '8' }, 'patient', 3_000],
])(
  'selects turn detection and maximum delay for patience_with_user_entries stored as %j',
  (patience_with_user_entries, detector, maxDelay) => {
    const { turnDetection, endpointing } = turnHandlingFor(style({ patience_with_user_entries }));
    expect([
      turnDetection instanceof IncompleteEntryDetector ? 'patient' : turnDetection,
      endpointing?.maxDelay,
    ]).toEqual([detector, maxDelay]);
  },
);

test('gives a patient agent the configured maximum delay, but never less than the minimum delay', () => {
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
])('classifies %j as an incomplete entry: %s', (words, expected) => {
  expect(seemsIncomplete(words)).toBe(expected);
});

test("ignores all but the user's last words in end-of-turn detection", async () => {
  const detector = new IncompleteEntryDetector();
  const said = (role: string, textContent: string): any => ({ type: 'message', role, textContent });
  expect(await detector.predictEndOfTurn({ items: [said('user', 'and')] })).toBeLessThan(
    await detector.unlikelyThreshold(),
  );
  expect(await detector.predictEndOfTurn({ items: [said('assistant', 'and')] })).toBe(1);
  expect(await detector.predictEndOfTurn({ items: [] })).toBe(1);
});

test('lets the SDK interrupt the agent only on final words, because `Interruption` handles sounds', () => {
  expect(turnHandlingFor(style({})).interruption).toMatchObject({
    minDuration: Infinity,
    minWords: 0,
    resumeFalseInterruption: true,
  });
});
