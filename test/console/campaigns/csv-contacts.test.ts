import { contactsOfCsv } from '../../../console/src/campaigns/append/csv-contacts';

describe('contactsOfCsv', () => {
  test('reads fields by their column, and all other columns as variables', () => {
    const text = 'Name,Phone number,timezone,language,city\nAsha Rao,+919876543210,Asia/Kolkata,,Pune\n';
    expect(contactsOfCsv(text)).toEqual({
      contacts: [
        {
          name: 'Asha Rao',
          phone_number: '+919876543210',
          timezone: 'Asia/Kolkata',
          metadata: { city: 'Pune' },
        },
      ],
    });
  });

  test.each([
    ['the number has no column', 'name\nAsha', 'The first line must contain the columns phone_number.'],
    [
      'there is no header',
      'Asha,+919876543210',
      'The first line must contain the columns name and phone_number.',
    ],
    ['there are no rows', 'name,phone_number\n', 'There are no contacts below the first line.'],
    [
      'there are too many rows',
      `name,phone_number\n${'Asha,1\n'.repeat(1001)}`,
      'There are 1001 contacts. Add more than 1000 with a contact list.',
    ],
  ])('says so if %s', (_why, text, fault) => {
    expect(contactsOfCsv(text)).toEqual({ fault });
  });
});
