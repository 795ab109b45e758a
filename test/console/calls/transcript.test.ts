import fc from 'fast-check';
import {
  lineAt,
  matchingSentences,
  partsOf,
  responseTimesOf,
  wordsIn,
} from '../../../console/src/calls/transcript';
import { qualityOf } from '../../../domain/analysis/quality';

type Role = 'agent' | 'user' | 'tool';
const line = (role: Role, start_ms: number, end_ms: number) => ({
  role,
  content: 'Yes.',
  start_ms,
  end_ms,
  interrupted: false,
});

test("measures the response time from the end of the caller's words to the answer, including actions", () => {
  const lines = [
    line('agent', 0, 900),
    line('user', 1000, 2000),
    line('tool', 2100, 2600),
    line('agent', 2900, 4000),
    line('agent', 4100, 5000),
    line('user', 5000, 6000),
    line('agent', 5500, 7000),
  ];
  expect([...responseTimesOf(lines)]).toEqual([
    [3, 900],
    [6, 0],
  ]);
});

test("computes the same mean response time as the call's evaluation", () => {
  const said = fc.array(
    fc.record({
      role: fc.constantFrom<Role>('agent', 'user'),
      start: fc.nat(60_000),
      length: fc.nat(5_000),
    }),
  );
  fc.assert(
    fc.property(said, (each) => {
      const sorted = [...each].sort((a, b) => a.start - b.start);
      const times = [
        ...responseTimesOf(sorted.map((l) => line(l.role, l.start, l.start + l.length))).values(),
      ];
      const mean =
        times.length === 0 ? null : Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length);
      const segments = sorted.map(({ role, start, length }) => ({
        speaker: role as 'agent' | 'user',
        text: 'Yes.',
        startMs: start,
        endMs: start + length,
      }));
      expect(qualityOf(segments, 'Yes.').avg_response_ms).toBe(mean);
    }),
  );
});

const marked = (sentence: string, search: string): string =>
  partsOf(sentence, wordsIn(search))
    .map(({ text, isWord }) => (isWord ? `[${text}]` : text))
    .join('');

test.each([
  ['I want a refund.', 'Refund', 'I want a [refund].'],
  ['Refunds, no refund!', 'refund', 'Refunds, no [refund]!'],
  ['A refund for the visit', 'visit, refund', 'A [refund] for the [visit]'],
  ['मुझे पैसे वापस चाहिए', 'वापस', 'मुझे पैसे [वापस] चाहिए'],
  ['Évaluation gratuite', 'évaluation', '[Évaluation] gratuite'],
  ['नमस्ते। ठीक है', 'नमस्ते', '[नमस्ते]। ठीक है'],
  ['我家在上海东边。', '上海', '我家在[上海]东边。'],
  ['Nothing of it.', '', 'Nothing of it.'],
  ['Nothing of it.', '?!', 'Nothing of it.'],
])('splits %j and marks the words that match the search %j', (sentence, search, expected) => {
  expect(marked(sentence, search)).toBe(expected);
});

test('returns the indexes of sentences that contain one of the words', () => {
  expect(matchingSentences(['A refund?', 'Yes.', 'The REFUND comes.'], wordsIn('refund visit'))).toEqual([
    0, 2,
  ]);
});

test('finds the line that started last', () => {
  const lines = [{ start_ms: 100 }, { start_ms: 2000 }];
  expect([lineAt(lines, 0), lineAt(lines, 1999), lineAt(lines, 2000)]).toEqual([-1, 0, 1]);
});
