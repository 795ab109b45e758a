import { unmetIn, type JudgedTurn, type TurnExpectations } from '../../domain/turn-expectations';

const SAID = 'Your refund was paid TODAY, by Café Rao.';
const turn = (changes: Partial<JudgedTurn> = {}): JudgedTurn => ({ said: SAID, hasEnded: false, ...changes });

describe('a turn that meets its expectations', () => {
  test.each<[string, TurnExpectations, Partial<JudgedTurn>?]>([
    ['a turn without expectations', {}],
    [
      'all strings of `contains`, in any case and with composed or decomposed accents',
      { contains: ['today', 'cafe\u0301'] },
    ],
    ['one text of `contains_any`', { contains_any: ['tomorrow', 'paid'] }],
    ['`not_contains`, if none is said', { not_contains: ['sorry', 'unpaid'] }],
    ['`max_words`, up to the last of them', { max_words: 8 }],
    ['`says_nothing` with spaces only', { says_nothing: true }, { said: ' \n' }],
    ['`says_nothing: false` if something is said', { says_nothing: false }],
    ['`ends`', { ends: true }, { hasEnded: true }],
    ['`ends: false`', { ends: false }],
  ])('accepts %s', (_title, expected, happened = {}) => {
    expect(unmetIn(turn(happened), expected)).toEqual([]);
  });
});

describe('a turn that misses an expectation', () => {
  test.each<[string, TurnExpectations, string, Partial<JudgedTurn>?]>([
    [
      'the first text of `contains` that is not said',
      { contains: ['paid', 'tomorrow', 'never'] },
      'to say "tomorrow"',
    ],
    ['`contains_any`', { contains_any: ['sorry', 'later'] }, 'to say one of "sorry", "later"'],
    ['`not_contains`', { not_contains: ['sorry', 'Refund'] }, 'not to say "Refund"'],
    ['`max_words` by one', { max_words: 7 }, 'at most 7 words'],
    ['`max_words` of none', { max_words: 0 }, 'at most 0 words'],
    ['`says_nothing`', { says_nothing: true }, 'to say nothing'],
    ['`says_nothing: false`', { says_nothing: false }, 'to say something', { said: '' }],
    ['`ends`', { ends: true }, 'to end the call'],
    ['`ends: false`', { ends: false }, 'not to end the call', { hasEnded: true }],
  ])('reports %s as missed', (_title, expected, missed, happened = {}) => {
    expect(unmetIn(turn(happened), expected)).toEqual([missed]);
  });

  test('reports several missed expectations at once, each by name', () => {
    expect(
      unmetIn(turn({ said: 'Sorry.' }), { contains: ['paid'], not_contains: ['sorry'], ends: true }),
    ).toEqual(['to say "paid"', 'not to say "sorry"', 'to end the call']);
  });
});
