import { normalisePhone } from '../../workflows/domain/phone-number';

const ANY_COUNTRY = { allowedCountries: ['*'] };
/** A country code without its `+`, as some trunks show callers. */
const WITHOUT_PLUS = /^[1-9]\d{9,14}$/;

/** E.164 of the number that a caller rang from, of any country; null for what a network says instead of one. */
export function callerNumber(fromNumber: string | null): string | null {
  const shown = fromNumber ?? '';
  const spellings = WITHOUT_PLUS.test(shown) ? [shown, `+${shown}`] : [shown];
  for (const spelling of spellings) {
    const reading = normalisePhone(spelling, ANY_COUNTRY);
    if ('e164' in reading) return reading.e164;
  }
  return null;
}
