import { readHeader } from '../../../api/campaigns/contact-file/header';
import { meaningsOf, missingOf } from '../../../console/src/format/contact-columns';

const HEADERS = [
  ['name', 'phone_number', 'city'],
  ['Customer Name', 'MOBILE-NUMBER', 'due'],
  ['contact', 'full_name'],
  ['phone', 'mobile', 'name'],
  ['contact_name', 'city'],
  ['', 'name', 'contact number'],
  ['name', 'phone', 'city', 'city'],
  ['Name ', 'Phone'],
];

describe('what a column of a contact file is taken for', () => {
  test.each(HEADERS.map((header) => [header]))('%j: the console says what the API reads', (header) => {
    const { columns, faults } = readHeader({ row: 1, cells: header });
    const titles = header.map((title) => title.trim());
    const meanings = meaningsOf(titles);
    expect(meanings.indexOf('name')).toBe(columns.name ?? -1);
    expect(meanings.indexOf('phone number')).toBe(columns.phone ?? -1);
    const isClear = !meanings.includes('unclear') && missingOf(meanings).length === 0;
    expect(isClear).toBe(faults.isEmpty);
  });

  test('what is neither the name nor the number is a variable', () => {
    expect(meaningsOf(['phone', 'name', 'due date'])).toEqual(['phone number', 'name', 'variable']);
  });
});
