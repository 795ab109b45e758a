import { parsePhoneNumberFromString, type NumberType as LibraryType } from 'libphonenumber-js/max';

/** Kinds of numbers, which differ in what a call to them costs. */
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

/** The types whose price is that of an ordinary call to the country. */
export const ORDINARY_TYPES: readonly NumberType[] = ['mobile', 'fixed_line', 'voip', 'toll_free'];

export type PhoneRules = {
  /** ISO codes such as `IN`; `['*']` allows every country. */
  allowedCountries: readonly string[];
  /** `['*']` allows every type. */
  allowedNumberTypes: readonly (NumberType | '*')[];
};

/** For numbers that we do not call: on a do-not-disturb list, searched, or shown by a caller. */
export const ANY_NUMBER: PhoneRules = { allowedCountries: ['*'], allowedNumberTypes: ['*'] };

/** `country` is `001` for numbers that belong to no country, such as international toll-free ones. */
export type PhoneReading = { e164: string; country: string } | { fault: string };

/** Longer input is no phone number, and is not worth cleaning. */
const MAX_INPUT_LENGTH = 64;

/** Blanks, hyphens, dots and brackets in their usual spellings, with the marks that copied contacts carry. */
const SEPARATORS =
  /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\-\u2010-\u2015\u2212.()[\]]/g;

/** A hyphen before the first digit is a minus: such a cell holds the result of a calculation, and nobody knows whose number it would ring. */
const NEGATIVE = /^[^\d]*[-\u2010-\u2015\u2212]/;

/** What a spreadsheet makes of a number cell: `9876543210.0`. */
const NUMBER_CELL = /^(\+?\d+)[.,]0+$/;
const SCIENTIFIC = /^\+?\d+([.,]\d+)?e[+-]?\d+$/i;

/** Every ten-digit Indian number that starts with 6-9 is valid, mobile or fixed in libphonenumber's /max data (tested). */
const INDIAN_MOBILE = /^\+91[6-9]\d{9}$/;

/**
 * Reads a number the way people write it: E.164, `91` or `0` before ten digits, or ten digits alone. Forms
 * without a country code are Indian; ten digits that start with 91 are a whole number, not a country code.
 * The fault is a short reason for people, without the number in it.
 */
export function normalisePhone(input: string, rules: PhoneRules): PhoneReading {
  const international = toInternational(input);
  if (typeof international !== 'string') return international;
  // The library takes 25 µs a number, the pattern below one: ten thousand rows are read in milliseconds.
  const reading =
    INDIAN_MOBILE.test(international) && PERSONAL.every((type) => isTypeAllowed([type], rules))
      ? { e164: international, countries: ['IN'], types: PERSONAL }
      : lookUp(international);
  if (reading === null) return { fault: 'is not a valid phone number' };
  const country = reading.countries.find((code) => isAllowed(code, rules));
  if (country === undefined) {
    return { fault: `is a number of ${reading.countries[0]}, which is not among the allowed countries` };
  }
  if (isTypeAllowed(reading.types, rules)) return { e164: reading.e164, country };
  return { fault: `is ${typeWords(reading.types)}, which is not among the allowed types of numbers` };
}

/** As a network writes a number, which may leave out the `+` of its country code: a trunk that shows a caller, a gateway that dials a SIP user. */
export function normaliseNetworkNumber(written: string, rules: PhoneRules): PhoneReading {
  const reading = normalisePhone(written, rules);
  const hasCountryCode = /^[1-9]\d{9,14}$/.test(written.replace(/\D/g, ''));
  return 'fault' in reading && hasCountryCode ? normalisePhone(`+${written}`, rules) : reading;
}

/** One spelling for each number in E.164: `+9108012345678` is `+918012345678`. What is no valid number stays as it is. */
export const canonicalNumber = (e164: string): string => lookUp(e164)?.e164 ?? e164;

/** The number for log lines: country code and the last two digits, the rest starred. */
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
    return { fault: 'was rounded by a spreadsheet; format the column as text' };
  }
  const digits = (NUMBER_CELL.exec(written)?.[1] ?? written).replace(SEPARATORS, '');
  if (!/^\+?\d+$/.test(digits)) return { fault: 'is not a phone number' };
  if (digits.startsWith('+')) return digits;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  if (digits.length === 10 && !digits.startsWith('0')) return `+91${digits}`;
  if (digits.length === 11 && digits.startsWith('0')) return `+91${digits.slice(1)}`;
  if (digits.length === 12 && digits.startsWith('91')) return `+${digits}`;
  return { fault: 'is neither an Indian number of ten digits nor one with + and a country code' };
}

interface LookedUp {
  e164: string;
  countries: readonly string[];
  /** The types that it may have; none where the data do not say. */
  types: readonly NumberType[];
}

function lookUp(international: string): LookedUp | null {
  const parsed = parsePhoneNumberFromString(international);
  // The library finds the type to judge whether a number is valid.
  const type = parsed?.getType();
  if (parsed === undefined || (type === undefined && !parsed.isValid())) return null;
  const possible = parsed.country === undefined ? parsed.getPossibleCountries() : [parsed.country];
  const countries = possible.length > 0 ? possible : ['001'];
  return { e164: parsed.number, countries, types: typesOf(type, possible.length === 0) };
}

function typesOf(type: LibraryType, isOfNoCountry: boolean): readonly NumberType[] {
  if (type === 'PREMIUM_RATE') return ['premium_rate'];
  if (type === 'SHARED_COST') return ['shared_cost'];
  // Satellite phones, universal numbers and networks of +800, +870, +878, +881, +882 and +883.
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
  voip: 'an internet telephony number',
  toll_free: 'a toll-free number',
  premium_rate: 'a premium-rate number',
  shared_cost: 'a shared-cost number',
  personal_number: 'a personal number, whose price can be that of a premium rate',
  pager: 'a pager number',
  uan: 'a universal access number',
  voicemail: 'a voicemail number',
  international_network: 'a number of an international or satellite network',
};

const typeWords = ([type]: readonly NumberType[]): string =>
  type === undefined ? 'a number of an unknown type' : TYPE_WORDS[type];

function isAllowed(country: string, rules: PhoneRules): boolean {
  return rules.allowedCountries.includes('*') || rules.allowedCountries.includes(country);
}
