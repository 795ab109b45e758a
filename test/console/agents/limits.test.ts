import { faultOf, limitsOf } from '../../../console/src/agents/limits';
import type { FieldOf } from '../../../console/src/agents/schema';

const field = (given: Partial<FieldOf>): FieldOf => ({
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
  ...given,
});

const name = field({ maxCharacters: 4 });
const words = field({ kind: 'lines', maxEntries: 2, maxCharacters: 4 });
const map = field({ kind: 'json', maxEntries: 1 });

describe('the help text of a form field', () => {
  test.each([
    ['names both ends of a range', field({ kind: 'number', min: 50, max: 10_000 }), ['50 to 10,000.']],
    ['names a single limit', field({ kind: 'number', min: 0 }), ['At least 0.']],
    ['names the characters of a text', name, ['At most 4 characters.']],
    [
      'names the lines, and the characters of each',
      words,
      ['At most 2 lines.', 'At most 4 characters each.'],
    ],
    ['names the entries of a map', map, ['At most 1 entries.']],
    ['names nothing without a limit', field({ kind: 'flag' }), []],
  ])('%s', (_fact, of, limits) => {
    expect(limitsOf(of)).toEqual(limits);
  });
});

describe('the validation of entered text', () => {
  test.each([
    ['accepts text at its maximum length', name, 'abcd', null],
    ['rejects text that is too long', name, 'abcde', 'These are 5 characters; at most 4 are allowed'],
    ['counts visible characters', name, '👍👍👍👍', null],
    ['accepts empty text, which restores the default', map, ' ', null],
    ['accepts the maximum number of lines', words, 'um\n\nwell\n', null],
    ['rejects too many lines', words, 'um\nwell\nso', 'These are 3 lines; at most 2 are allowed'],
    [
      'rejects a line that is too long',
      words,
      'um\nhowever',
      'A line has 7 characters; at most 4 are allowed',
    ],
    [
      'rejects too many entries of a map',
      map,
      '{"a": 1, "b": 2}',
      'These are 2 entries; at most 1 are allowed',
    ],
    ['rejects too many entries of a list', map, '[1, 2]', 'These are 2 entries; at most 1 are allowed'],
    ['accepts JSON with one entry', map, '{"a": [1, 2, 3]}', null],
    ['rejects text that is not JSON', map, '{"a"', 'This is not valid JSON'],
  ])('%s', (_fact, of, text, fault) => {
    expect(faultOf(of, text)).toBe(fault);
  });
});
