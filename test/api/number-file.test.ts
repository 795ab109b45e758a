import { readNumberFile } from '../../api/admin/number-file';

const read = (text: string, column: string | null = null) => readNumberFile(Buffer.from(text), column);

test.each([
  ['numbers without a title', '9876543210\n9876543211'],
  ['a title and one column', 'Phone Number\n9876543210\n9876543211'],
  ['a column among others, by any of its usual names', 'id,Mobile-Number\n1,9876543210\n2,9876543211'],
  ['semicolons', 'name;phone\nAsha;9876543210\nRavi;9876543211'],
  ['tabs', 'name\tmsisdn\nAsha\t9876543210\nRavi\t9876543211'],
  ['a byte order mark and Windows line ends', '\ufeffphone\r\n9876543210\r\n9876543211\r\n'],
  ['blank lines, even before the title', '\n\nphone\n\n9876543210\n\n9876543211\n\n'],
  ['a comma after each number', '9876543210,\n9876543211,'],
  ['a name with the delimiter in quotes', 'name,phone\n"Rao, Asha",9876543210\n"Das\nRavi",9876543211'],
  [
    'numbers as a spreadsheet writes them',
    'phone\n9876543210.0\n="9876543211"'.replace('="', '').replace('"', ''),
  ],
])('reads %s', (_title, text) => {
  expect(read(text)).toEqual({ numbers: ['+919876543210', '+919876543211'], duplicates: 0, faults: [] });
});

test('numbers rows as the spreadsheet does', () => {
  const { faults } = read('name,phone\n"two\nlines",9876543210\n\nAsha,1\n');
  expect(faults).toEqual([{ row: 4, reason: expect.any(String) }]);
});

test('finds no number in a row that is too short', () => {
  expect(read('name,phone\nAsha').faults).toEqual([{ row: 2, reason: 'is empty' }]);
});

test.each([
  ['two possible columns', 'phone,mobile\n1,2', null, 'Several columns may contain the numbers'],
  ['several columns without a usual title', 'a,b\n1,2', null, 'No column is named phone_number'],
  ['a missing column', 'phone\n9876543210', 'Tel', 'no column with the title given by --column'],
  ['a quote that is never closed', 'phone\n"9876543210\n', null, 'Row 2 is not valid CSV'],
])('rejects %s', (_title, text, column, message) => {
  expect(() => read(text, column)).toThrow(message);
});

test('uses --column to choose between two possible columns', () => {
  expect(read('phone,mobile\n9876543210,9876543211', 'mobile').numbers).toEqual(['+919876543211']);
});
