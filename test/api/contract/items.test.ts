import { Coverage } from './coverage';
import { itemsOf } from './items';
import { defaultOf, inlineFields, rangeOf, valuesOf } from './values';

const PAGE = `# A page

First words. Second words, e.g. \`x\`.

## Things

| Field | Rule |
| --- | --- |
| one | 1-5 |

**part**

Its table:

| Field | Rule |
| --- | --- |
| one \`two\` | |

### POST /api/things

- A bullet that is
  wrapped.
1. A numbered one.
`;

describe('a document', () => {
  test('splits a document into endpoint headings, rows and sentences, each with its path as id', () => {
    expect(itemsOf(PAGE).map(({ kind, id }) => [kind, id])).toEqual([
      ['sentence', 'First words.'],
      ['sentence', 'Second words, e.g. x.'],
      ['row', 'Things > one'],
      ['row', 'Things > part > Its table > one two'],
      ['endpoint', 'Things > POST /api/things'],
      ['sentence', 'Things > POST /api/things > A bullet that is wrapped.'],
      ['sentence', 'Things > POST /api/things > A numbered one.'],
    ]);
  });

  test('keys the cells of a row by column title', () => {
    expect(itemsOf(PAGE)[2]?.cells).toEqual({ Field: 'one', Rule: '1-5' });
  });
});

describe('the coverage of a document', () => {
  const check = () => undefined;

  test('reports statements without a check', () => {
    const coverage = new Coverage(itemsOf(PAGE));
    coverage.coversRows('Things', check);
    coverage.covers('First words.', check);
    coverage.leavesOut({ 'Second words, e.g. x.': 'prose' });
    expect(coverage.missing).toEqual([
      'Things > POST /api/things',
      'Things > POST /api/things > A bullet that is wrapped.',
      'Things > POST /api/things > A numbered one.',
    ]);
  });

  test('reports ids in checks and exclusions that the document lacks', () => {
    const coverage = new Coverage(itemsOf(PAGE));
    coverage.covers('First word.', check);
    coverage.under('Things', { two: check });
    coverage.coversRows('Nothings', check);
    coverage.leavesOut({ 'Third words.': 'prose' });
    expect(coverage.unknown).toEqual(['First word.', 'Things > two', 'Nothings', 'Third words.']);
  });
});

describe('the values of a row', () => {
  test('accepts both ends of a range, and rejects values just outside it', () => {
    const { accepted, refused } = valuesOf('integer', 'seconds, 0-60');
    expect(accepted).toEqual([0, 30, 60]);
    expect(refused).toEqual(expect.arrayContaining([-1, 61, 6.5, '5', true]));
  });

  test('accepts the words that a rule lists', () => {
    expect(valuesOf('string', '`a` or `b` when asked').accepted).toEqual(['a', 'b']);
  });

  test('throws for an unknown type', () => {
    expect(() => valuesOf('colour', '')).toThrow('colour');
  });

  test.each([
    ['1-10, default 3; more', { min: 1, max: 10 }],
    ['1-10,000', { min: 1, max: 10_000 }],
    ['0.6-1.4', { min: 0.6, max: 1.4 }],
    ['UTC `HH:MM`, 02:30-14:29', null],
    ['YYYY-MM-DD', null],
  ])('reads the range of "%s"', (rule, range) => {
    expect(rangeOf(rule)).toEqual(range);
  });

  test.each([
    ['`telephony` (default) or `webrtc`', 'telephony'],
    ['`{}`; variables', {}],
    ['null; override', null],
    ['default empty; only', ''],
    ['0.6-1.4, default 1.0; only', 1],
    ['default `hi`; only', 'hi'],
    ['default false', false],
    ['overrides the default greeting', undefined],
  ])('reads the default of "%s"', (rule, value) => {
    expect(defaultOf(rule)).toEqual(value);
  });

  test('reads the fields of a sentence with their rules', () => {
    expect(inlineFields('Fields (of `x`): `a` (integer), `b` and `c` (string: `d`, `e`), `f`.')).toEqual([
      { name: 'a', rule: 'integer' },
      { name: 'b', rule: 'string: `d`, `e`' },
      { name: 'c', rule: 'string: `d`, `e`' },
      { name: 'f', rule: '' },
    ]);
  });
});
