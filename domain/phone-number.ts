import { parsePhoneNumberFromString, type NumberType as LibraryType } from 'libphonenumber-js/max';

/** Types of numbers, which affect the price of a call. */
export const NUMBER_TYPES = [
  'mobile',
  'fixed_line',
  'voip',
  'toll_free',
  'premium_rate',
  'shared_cost',
  'personal_number',
  'pager',
  'uan',
  'voicemail',
  'international_network',
] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

/** Types whose price is that of an ordinary call to the country. */
export const ORDINARY_TYPES: readonly NumberType[] = ['mobile', 'fixed_line', 'voip', 'toll_free'];

export type PhoneRules = {
  /** ISO codes such as `IN`. `['*']` allows every country. */
  allowedCountries: readonly string[];
  /** `['*']` allows every type. */
  allowedNumberTypes: readonly (NumberType | '*')[];
};

/** Rules for numbers that we don't dial: do-not-disturb entries, search terms and callers' numbers. */
export const ANY_NUMBER: PhoneRules = { allowedCountries: ['*'], allowedNumberTypes: ['*'] };

/** `country` is `001` for numbers without a country, such as international toll-free numbers. */
type PhoneReading = { e164: string; country: string } | { fault: string };

/** Longer input is rejected without parsing it. */
const MAX_INPUT_LENGTH = 64;

/** Spaces, hyphens, dots and brackets in their common variants, and invisible characters from copied text. */
const SEPARATORS =
  /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\-\u2010-\u2015\u2212.()[\]]/g;

/** A hyphen before the first digit is a minus sign, so the cell contains a calculated value instead of a number to dial. */
const NEGATIVE = /^[^\d]*[-\u2010-\u2015\u2212]/;

/** Numeric spreadsheet cells, such as `9876543210.0`. */
const NUMBER_CELL = /^(\+?\d+)[.,]0+$/;
const SCIENTIFIC = /^\+?\d+([.,]\d+)?e[+-]?\d+$/i;

/** A test checks that libphonenumber's /max data accept every such number as mobile or fixed-line. */
const INDIAN_MOBILE = /^\+91[6-9]\d{9}$/;

/**
 * Reads a number in E.164, ten digits after `91` or `0`, or ten digits alone. Ten digits are always treated as an Indian number without its
 * country code. A fault doesn't contain the number.
 */
export function normalisePhone(input: string, rules: PhoneRules): PhoneReading {
  const international = toInternational(input);
  if (typeof international !== 'string') return international;
  // The pattern takes 1 µs and the library 25 µs, which matters for files with ten thousand rows.
  const reading =
    INDIAN_MOBILE.test(international) && PERSONAL.every((type) => isTypeAllowed([type], rules))
      ? { e164: international, countries: ['IN'], types: PERSONAL }
      : lookUp(international);
  if (reading === null) return { fault: 'is not a valid phone number' };
  const country = reading.countries.find((code) => isAllowed(code, rules));
  if (country === undefined) {
    return { fault: `belongs to ${reading.countries[0]}, which is not an allowed country` };
  }
  if (isTypeAllowed(reading.types, rules)) return { e164: reading.e164, country };
  return { fault: `is ${typeWords(reading.types)}, which is not an allowed type` };
}

/** Reads a number from a trunk or a SIP address, which may lack the `+` before the country code. */
export function normaliseNetworkNumber(written: string, rules: PhoneRules): PhoneReading {
  const reading = normalisePhone(written, rules);
  const hasCountryCode = /^[1-9]\d{9,14}$/.test(written.replace(/\D/g, ''));
  return 'fault' in reading && hasCountryCode ? normalisePhone(`+${written}`, rules) : reading;
}

/** Returns the canonical E.164 form, such as `+918012345678` for `+9108012345678`. Returns an invalid number unchanged. */
export const canonicalNumber = (e164: string): string => lookUp(e164)?.e164 ?? e164;

/** Returns the number without a trunk prefix after its country code, also if it is invalid. */
export const withoutTrunkPrefix = (e164: string): string => parsePhoneNumberFromString(e164)?.number ?? e164;

/** Masks a number for log lines, keeping the country code and the last two digits. */
export function maskPhone(e164: string): string {
  if (e164.length < 8) return '*'.repeat(e164.length);
  return `${e164.slice(0, 3)}${'*'.repeat(e164.length - 5)}${e164.slice(-2)}`;
}

function toInternational(input: string): string | { fault: string } {
  if (input.length > MAX_INPUT_LENGTH) return { fault: 'is not a phone number' };
  const written = input.trim();
  if (written === '') return { fault: 'is empty' };
  if (NEGATIVE.test(written)) return { fault: 'is not a phone number' };
  if (SCIENTIFIC.test(written)) {
    return { fault: 'was rounded by a spreadsheet; format the column as text and enter the number again' };
  }
  const digits = (NUMBER_CELL.exec(written)?.[1] ?? written).replace(SEPARATORS, '');
  if (!/^\+?\d+$/.test(digits)) return { fault: 'is not a phone number' };
  if (digits.startsWith('+')) return digits;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  if (digits.length === 10 && !digits.startsWith('0')) return `+91${digits}`;
  if (digits.length === 11 && digits.startsWith('0')) return `+91${digits.slice(1)}`;
  if (digits.length === 12 && digits.startsWith('91')) return `+${digits}`;
  return { fault: 'must be a ten-digit Indian number, or start with + and a country code' };
}

interface LookedUp {
  e164: string;
  countries: readonly string[];
  /** Possible types. Empty if unknown. */
  types: readonly NumberType[];
}

function lookUp(international: string): LookedUp | null {
  const parsed = parsePhoneNumberFromString(international);
  // A number that has a type is valid, which saves a second lookup.
  const type = parsed?.getType();
  if (parsed === undefined || (type === undefined && !parsed.isValid())) return null;
  const possible = parsed.country === undefined ? parsed.getPossibleCountries() : [parsed.country];
  const countries = possible.length > 0 ? possible : ['001'];
  return { e164: parsed.number, countries, types: typesOf(type, possible.length === 0) };
}

function typesOf(type: LibraryType, isOfNoCountry: boolean): readonly NumberType[] {
  if (type === 'PREMIUM_RATE') return ['premium_rate'];
  if (type === 'SHARED_COST') return ['shared_cost'];
  // Satellite phones and international networks (+800, +870, +878, +881, +882, +883).
  if (isOfNoCountry) return ['international_network'];
  if (type === 'FIXED_LINE_OR_MOBILE') return PERSONAL;
  const known = NUMBER_TYPES.find((each) => each.toUpperCase() === type);
  return known === undefined ? [] : [known];
}

const PERSONAL: readonly NumberType[] = ['mobile', 'fixed_line'];

const isTypeAllowed = (types: readonly NumberType[], { allowedNumberTypes }: PhoneRules): boolean =>
  allowedNumberTypes.includes('*') || types.some((type) => allowedNumberTypes.includes(type));

const TYPE_WORDS: Readonly<Record<NumberType, string>> = {
  mobile: 'a mobile number',
  fixed_line: 'a fixed-line number',
  voip: 'a VoIP number',
  toll_free: 'a toll-free number',
  premium_rate: 'a premium-rate number',
  shared_cost: 'a shared-cost number',
  personal_number: 'a personal number (often charged at premium rates)',
  pager: 'a pager number',
  uan: 'a universal access number',
  voicemail: 'a voicemail number',
  international_network: 'an international or satellite network number',
};

const typeWords = ([type]: readonly NumberType[]): string =>
  type === undefined ? 'a number of an unknown type' : TYPE_WORDS[type];

function isAllowed(country: string, rules: PhoneRules): boolean {
  return rules.allowedCountries.includes('*') || rules.allowedCountries.includes(country);
}
