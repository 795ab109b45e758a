import { transcriptText } from '../../domain/transcript';

const segment = (speaker: 'agent' | 'user', startMs: number, text: string) => ({ speaker, startMs, text });

test('one labelled line a segment, in the order of speech', () => {
  const segments = [
    segment('user', 2_000, 'Yes?'),
    segment('agent', 0, 'Hello Ravi.'),
    segment('agent', 3_000, 'Good.'),
  ];
  expect(transcriptText(segments)).toBe('AGENT: Hello Ravi.\nUSER: Yes?\nAGENT: Good.');
});

test('what was said at the same instant keeps its order', () => {
  const segments = [segment('user', 0, 'first'), segment('agent', 0, 'second')];
  expect(transcriptText(segments)).toBe('USER: first\nAGENT: second');
});

test('silence is an empty text', () => {
  expect(transcriptText([])).toBe('');
});

test('the segments given are left as they are', () => {
  const segments = [segment('user', 5, 'b'), segment('agent', 1, 'a')];
  transcriptText(segments);
  expect(segments.map(({ text }) => text)).toEqual(['b', 'a']);
});
