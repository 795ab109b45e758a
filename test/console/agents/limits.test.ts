import { faultOf, limitsOf } from '../../../console/src/agents/limits';
import type { FieldOf } from '../../../console/src/agents/schema';

const field = (given: Partial<FieldOf>): FieldOf => ({
  path: ['a'],
  kind: 'text',
  help: '',
  choices: [],
  least: undefined,
  most: undefined,
  isWhole: false,
  unset: undefined,
  mostCharacters: undefined,
  mostEntries: undefined,
  ...given,
});

const name = field({ mostCharacters: 4 });
const words = field({ kind: 'lines', mostEntries: 2, mostCharacters: 4 });
const map = field({ kind: 'json', mostEntries: 1 });

describe('the help of a field names', () => {
  test.each([
    ['both ends of a range', field({ kind: 'number', least: 50, most: 10_000 }), ['50 to 10,000.']],
    ['a single limit', field({ kind: 'number', least: 0 }), ['At least 0.']],
    ['the characters of a text', name, ['At most 4 characters.']],
    ['the lines, and the characters of each', words, ['At most 2 lines.', 'At most 4 characters each.']],
    ['the entries of a map', map, ['At most 1 entries.']],
    ['nothing without a limit', field({ kind: 'flag' }), []],
  ])('%s', (_fact, of, limits) => {
    expect(limitsOf(of)).toEqual(limits);
  });
});

describe('written text is', () => {
  test.each([
    ['accepted at its maximum length', name, 'abcd', null],
    ['rejected if it is too long', name, 'abcde', 'These are 5 characters; at most 4 are allowed'],
    ['counted in visible characters', name, '👍👍👍👍', null],
    ['accepted if empty, which restores the default', map, ' ', null],
    ['accepted with the maximum number of lines', words, 'um\n\nwell\n', null],
    ['rejected with too many lines', words, 'um\nwell\nso', 'These are 3 lines; at most 2 are allowed'],
    [
      'rejected with a line that is too long',
      words,
      'um\nhowever',
      'A line has 7 characters; at most 4 are allowed',
    ],
    [
      'rejected with too many entries of a map',
      map,
      '{"a": 1, "b": 2}',
      'These are 2 entries; at most 1 are allowed',
    ],
    ['rejected with too many entries of a list', map, '[1, 2]', 'These are 2 entries; at most 1 are allowed'],
    ['accepted as JSON with one entry', map, '{"a": [1, 2, 3]}', null],
    ['rejected if it is not JSON', map, '{"a"', 'This is not valid JSON'],
  ])('%s', (_fact, of, text, fault) => {
    expect(faultOf(of, text)).toBe(fault);
  });
});
