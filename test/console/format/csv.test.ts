import { rowsOfCsv } from '../../../console/src/format/csv';

describe('rowsOfCsv', () => {
  test.each([
    [
      'commas',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons and Windows line breaks',
      'a;b\r\n1;2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'tabs with empty cells',
      'a\tb\tc\n\t\t"x"',
      [
        ['a', 'b', 'c'],
        ['', '', 'x'],
      ],
    ],
    [
      'quoted separators, quotes and line breaks',
      'a,b\n"1,5","say ""hi""\nthere"',
      [
        ['a', 'b'],
        ['1,5', 'say "hi"\nthere'],
      ],
    ],
    [
      'a byte order mark and empty rows',
      '\uFEFFa,b\n\n , \n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'an unclosed quote',
      'a,b\n"1,2',
      [
        ['a', 'b'],
        ['"1', '2'],
      ],
    ],
    ['nothing', '', []],
  ])('splits %s', (_what, text, rows) => {
    expect(rowsOfCsv(text)).toEqual(rows);
  });
});
