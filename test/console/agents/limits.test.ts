import { faultOf, limitsOf } from '../../../console/src/agents/limits';
import type { FieldOf } from '../../../console/src/agents/schema';

const field = (options: Partial<FieldOf>): FieldOf => ({
  path: ['a'],
  kind: 'text',
  help: '',
  choices: [],
  min: undefined,
  max: undefined,
  isWhole: false,
  unset: undefined,
  maxCharacters: undefined,
  maxEntries: undefined,
  ...options,
});

const name = field({ maxCharacters: 4 });
const words = field({ kind: 'lines', maxEntries: 2, maxCharacters: 4 });
const map = field({ kind: 'json', maxEntries: 1 });

describe('the help text of a form field', () => {
  test.each([
    ['names both ends of a range', field({ kind: 'number', min: 50, max: 10_000 }), ['50 to 10,000.']],
    ['names a single limit', field({ kind: 'number', min: 0 }), ['At least 0.']],
    ['names the maximum length of a string', name, ['At most 4 characters.']],
    [
      'names the maximum number and length of lines',
      words,
      ['At most 2 lines.', 'At most 4 characters per line.'],
    ],
    ['names the maximum number of entries in a map', map, ['At most 1 entry.']],
    ['is empty for a field without limits', field({ kind: 'flag' }), []],
  ])('%s', (_title, of, limits) => {
    expect(limitsOf(of)).toEqual(limits);
  });
});

describe('the validation of a form field', () => {
  test.each([
    ['accepts text of the maximum length', name, 'abcd', null],
    ['rejects text that is too long', name, 'abcde', 'Use at most 4 characters. There are 5 now.'],
    ['counts an emoji as one character', name, '👍👍👍👍', null],
    ['accepts empty text, which restores the default', map, ' ', null],
    ['accepts the maximum number of lines', words, 'um\n\nwell\n', null],
    ['rejects too many lines', words, 'um\nwell\nso', 'Use at most 2 lines. There are 3 now.'],
    [
      'rejects a line that is too long',
      words,
      'um\nhowever',
      'Use at most 4 characters per line. The longest line has 7.',
    ],
    ['rejects a map with too many entries', map, '{"a": 1, "b": 2}', 'Use at most 1 entry. There are 2 now.'],
    ['rejects a list with too many entries', map, '[1, 2]', 'Use at most 1 entry. There are 2 now.'],
    ['accepts a map with one entry', map, '{"a": [1, 2, 3]}', null],
    ['rejects text that is not JSON', map, '{"a"', 'This isn’t valid JSON.'],
  ])('%s', (_title, of, text, fault) => {
    expect(faultOf(of, text)).toBe(fault);
  });
});
