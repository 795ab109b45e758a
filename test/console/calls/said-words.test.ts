import { partsOf, saying, wordsIn } from '../../../console/src/calls/said-words';

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
])('splits %j and marks the words of the search %j', (sentence, search, expected) => {
  expect(marked(sentence, search)).toBe(expected);
});

test('returns the indexes of sentences that contain one of the words', () => {
  expect(saying(['A refund?', 'Yes.', 'The REFUND comes.'], wordsIn('refund visit'))).toEqual([0, 2]);
});
