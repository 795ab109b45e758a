/** Reads a caller number as a carrier reports it. */
import { ANY_NUMBER, normaliseNetworkNumber } from './phone-number';

/** Fewer digits are an extension, or what a network writes instead of a number. */
const LEAST_DIGITS = 7;

/** The number that a caller rang from in E.164, of any country and type; null for what a network says instead of one. */
export function callerNumber(fromNumber: string | null): string | null {
  const reading = normaliseNetworkNumber(fromNumber ?? '', ANY_NUMBER);
  return 'e164' in reading ? reading.e164 : null;
}

/**
 * The number as which a caller counts: one live call each. E.164 where it can be read, so that a call to the person counts too, else its
 * digits. Null for a withheld number.
 */
export function numberOfCaller(fromNumber: string | null): string | null {
  const user = (fromNumber ?? '').replace(/^\s*(?:sips?|tel):/i, '').split('@')[0] ?? '';
  const digits = user.replace(/\D/g, '');
  return callerNumber(user) ?? (digits.length >= LEAST_DIGITS && /[1-9]/.test(digits) ? digits : null);
}
