import { errorRate, wordErrors } from '../../../../verify/bench/voice/word-errors';

test.each([
  ['the same words', 'Wait, I am late.', 'wait i am late', 0],
  ['a wrong word', 'I am late', 'I am great', 1],
  ['a missing word', 'I am very late', 'I am late', 1],
  ['a word too many', 'I am late', 'I am so late', 1],
  ['nothing heard', 'I am late', '', 3],
  ['words in another order', 'one two three', 'three two one', 2],
])('%s', (_what, said, heard, errors) => {
  expect(wordErrors(said, heard).errors).toBe(errors);
});

test('the rate is of all words that were said, not the mean of the rates', () => {
  const rate = errorRate([
    { words: 1, errors: 1 },
    { words: 9, errors: 0 },
  ]);
  expect(rate).toBe(10);
});

test('nothing that was said has no rate', () => {
  expect(errorRate([])).toBeNaN();
});
