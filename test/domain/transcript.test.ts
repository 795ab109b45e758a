import { transcriptText } from '../../domain/transcript';

const segment = (speaker: 'agent' | 'user', startMs: number, text: string) => ({ speaker, startMs, text });

test('writes one labelled line per segment, in the order of speech', () => {
  const segments = [
    segment('user', 2_000, 'Yes?'),
    segment('agent', 0, 'Hello Ravi.'),
    segment('agent', 3_000, 'Good.'),
  ];
  expect(transcriptText(segments)).toBe('AGENT: Hello Ravi.\nUSER: Yes?\nAGENT: Good.');
});

test('keeps the order of segments with equal times', () => {
  const segments = [segment('user', 0, 'first'), segment('agent', 0, 'second')];
  expect(transcriptText(segments)).toBe('USER: first\nAGENT: second');
});

test('returns an empty string for silence', () => {
  expect(transcriptText([])).toBe('');
});

test("doesn't modify the array of segments", () => {
  const segments = [segment('user', 5, 'b'), segment('agent', 1, 'a')];
  transcriptText(segments);
  expect(segments.map(({ text }) => text)).toEqual(['b', 'a']);
});
