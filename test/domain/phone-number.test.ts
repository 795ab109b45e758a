import {
  ANY_NUMBER,
  maskPhone,
  normalisePhone,
  ORDINARY_TYPES,
  type NumberType,
  type PhoneRules,
} from '../../domain/phone-number';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const india = { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] };
const world: PhoneRules = { allowedCountries: ['*'], allowedNumberTypes: [...ORDINARY_TYPES] };

describe('a phone number', () => {
  test.each([
    ['in E.164', '+919876543210'],
    ['with 91 before ten digits', '919876543210'],
    ['with 0 before ten digits', '09876543210'],
    ['as ten digits', '9876543210'],
    ['with spaces', ' +91 98765 43210 '],
    ['with no-break spaces and direction marks', '\u202a+91\u00a098765\u00a043210\u202c'],
    ['with hyphens', '98765-43210'],
    ['with a typographic hyphen', '98765\u201143210'],
    ['with dots', '98765.43210'],
    ['with brackets', '(+91) 98765 43210'],
    ['with a zero in brackets', '+91 (0) 98765 43210'],
    ['with a leading 00', '00919876543210'],
    ['with a trailing .0 of a number cell', '9876543210.0'],
    ['with 91 and a trailing .0', '919876543210.0'],
  ])('reads a number %s', (_form, input) => {
    expect(normalisePhone(input, india)).toEqual({ e164: '+919876543210', country: 'IN' });
  });

  test('reads ten digits that start with 91 as a number without its country code', () => {
    expect(normalisePhone('9123456789', india)).toEqual({ e164: '+919123456789', country: 'IN' });
  });

  test('accepts an Indian landline', () => {
    expect(normalisePhone('01123456789', india)).toEqual({ e164: '+911123456789', country: 'IN' });
  });
});

describe('normalisePhone()', () => {
  test.each([
    ['nothing', '', 'is empty'],
    ['spaces', '  ', 'is empty'],
    ['a word', 'unknown', 'is not a phone number'],
    ['letters among digits', '98765x43210', 'is not a phone number'],
    ['two numbers', '9876543210/9876543211', 'is not a phone number'],
    ['a plus inside', '91+9876543210', 'is not a phone number'],
    ['a negative number', '-9876543210', 'is not a phone number'],
    ['a negative number of a number cell', '-9876543210.0', 'is not a phone number'],
    ['a negative number with a typographic minus', ' \u2212 9876543210', 'is not a phone number'],
    ['a minus before the plus', '-+919876543210', 'is not a phone number'],
    ['a minus after the plus', '+-919876543210', 'is not a phone number'],
    ['a minus in brackets', '(-98765) 43210', 'is not a phone number'],
    ['a formula', '=+919876543210', 'is not a phone number'],
    ['very long input', '9'.repeat(10_000), 'is not a phone number'],
    [
      'a number a spreadsheet rounded',
      '9.19877E+11',
      'was rounded by a spreadsheet; format the column as text and enter the number again',
    ],
    [
      'a number with a plus that a spreadsheet rounded',
      '+9,19877E+11',
      'was rounded by a spreadsheet; format the column as text and enter the number again',
    ],
    ['nine digits', '987654321', 'must be a ten-digit Indian number, or start with + and a country code'],
    [
      'thirteen digits',
      '9198765432101',
      'must be a ten-digit Indian number, or start with + and a country code',
    ],
    ['an impossible mobile number', '5999999999', 'is not a valid phone number'],
    ['only a country code', '+91', 'is not a valid phone number'],
    ['00 before ten digits that make no number', '000000000000', 'is not a valid phone number'],
  ])('rejects %s', (_what, input, fault) => {
    expect(normalisePhone(input, india)).toEqual({ fault });
  });

  test('rejects a valid foreign number when only India is allowed', () => {
    expect(normalisePhone('+442079460018', india)).toEqual({
      fault: 'belongs to GB, which is not an allowed country',
    });
    expect(
      normalisePhone('+919876543210', { allowedCountries: ['GB'], allowedNumberTypes: [...ORDINARY_TYPES] }),
    ).toHaveProperty('fault');
  });

  test('never repeats the number in a fault', () => {
    expect(JSON.stringify(normalisePhone('+442079460018', india))).not.toContain('2079');
  });
});

test('accepts every country if the list contains an asterisk', () => {
  expect(normalisePhone('+44 20 7946 0018', world)).toEqual({ e164: '+442079460018', country: 'GB' });
  expect(normalisePhone('+80012345678', ANY_NUMBER)).toEqual({ e164: '+80012345678', country: '001' });
});

describe('a number whose call can cost more than an ordinary one', () => {
  test.each<[string, string, NumberType]>([
    ['+449098790000', 'a premium-rate number', 'premium_rate'],
    ['+19005550123', 'a premium-rate number', 'premium_rate'],
    ['+979123456789', 'a premium-rate number', 'premium_rate'],
    ['+9118601234567', 'a shared-cost number', 'shared_cost'],
    ['+491801234567', 'a shared-cost number', 'shared_cost'],
    ['+80812345678', 'a shared-cost number', 'shared_cost'],
    ['+447012345678', 'a personal number (often charged at premium rates)', 'personal_number'],
    ['+447640123456', 'a pager number', 'pager'],
    ['+911401234567', 'a universal access number', 'uan'],
    ['+80012345678', 'an international or satellite network number', 'international_network'],
    ['+870773111632', 'an international or satellite network number', 'international_network'],
    ['+881612345678', 'an international or satellite network number', 'international_network'],
    ['+88216123456', 'an international or satellite network number', 'international_network'],
    ['+883510012345', 'an international or satellite network number', 'international_network'],
  ])('rejects a number unless its type is allowed: %s is %s', (e164, words, type) => {
    const fault = `is ${words}, which is not an allowed type`;
    expect(normalisePhone(e164, world)).toEqual({ fault });
    const allowedNumberTypes = [...ORDINARY_TYPES, type];
    expect(normalisePhone(e164, { ...world, allowedNumberTypes })).toHaveProperty('e164', e164);
  });

  test.each([
    '+919009876543',
    '+442079460018',
    '+33912345678',
    '+445612345678',
    '+9118001234567',
    '+12125550123',
  ])('accepts an ordinary number such as %s', (e164) => {
    expect(normalisePhone(e164, world)).toHaveProperty('e164', e164);
  });

  test('rejects a mobile number on the fast path when mobile numbers are not allowed', () => {
    const rules: PhoneRules = { allowedCountries: ['IN'], allowedNumberTypes: ['toll_free'] };
    expect(normalisePhone('9876543210', rules)).toEqual({
      fault: 'is a mobile number, which is not an allowed type',
    });
  });
});

test('accepts on the fast path only numbers that the full rules accept', () => {
  for (let prefix = 6_000; prefix < 10_000; prefix += 7) {
    const e164 = `+91${prefix}246813`;
    const parsed = parsePhoneNumberFromString(e164);
    expect(parsed?.isValid()).toBe(true);
    expect(['MOBILE', 'FIXED_LINE', 'FIXED_LINE_OR_MOBILE']).toContain(parsed?.getType());
    expect(normalisePhone(e164, india)).toEqual({ e164, country: 'IN' });
  }
});

test('masks a number except its country code and last two digits', () => {
  expect(maskPhone('+919876543210')).toBe('+91********10');
  expect(maskPhone('+9198')).toBe('*****');
  expect(maskPhone('')).toBe('');
});
