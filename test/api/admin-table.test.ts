import { cellText, fieldList, jsonLine, table } from '../../api/admin/table';

const plain = { empty: 'nothing', isStyled: false };

test('makes each column as wide as its widest cell, without borders or trailing spaces', () => {
  expect(
    table(
      ['id', 'name'],
      [
        [1, 'Asha'],
        [1000, null],
      ],
      plain,
    ),
  ).toBe('id    name\n1     Asha\n1000  -');
});

test('prints a message for a table without rows', () => {
  expect(table(['id'], [], plain)).toBe('nothing');
});

test('prints one heading and keeps the columns aligned over a thousand rows', () => {
  const rows = Array.from({ length: 1200 }, (_, n) => ['x'.repeat(n === 1100 ? 30 : 1), n]);
  const lines = table(['name', 'n'], rows, plain).split('\n');
  expect(lines).toHaveLength(1201);
  expect(lines[0]).toBe(`name${' '.repeat(26)}  n`);
  expect(lines.slice(1).map((line) => Number(line.slice(32)))).toEqual(rows.map(([, n]) => n));
});

test('aligns columns by the terminal width of wide characters', () => {
  const [head = '', row = ''] = table(['name', 'n'], [['日本語', 1]], plain).split('\n');
  expect([head, row]).toEqual(['name    n', '日本語  1']);
});

test('prints instants in UTC and replaces control characters', () => {
  expect(cellText(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  expect(cellText('a\u001b[2Jb\nc\u202ed')).toBe('a\ufffd[2Jb\ufffdc\ufffdd');
});

test('prints one field per line', () => {
  expect(
    fieldList([
      ['id', 7],
      ['created at', new Date(0)],
    ]),
  ).toBe('id:          7\ncreated at:  1970-01-01T00:00:00.000Z');
});

test('prints JSON on one line without control characters and without changing its meaning', () => {
  const value = { name: 'a\u009b\u007f\u2028\n\u001bb' };
  expect(jsonLine(value)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028]/);
  expect(JSON.parse(jsonLine(value))).toEqual(value);
});
