import { ANY_NUMBER, normaliseNetworkNumber } from './phone-number';

/** A number with fewer digits is an extension or a placeholder of the network. */
const MIN_DIGITS = 7;

/** Returns the caller's number in E.164. Null if the network reports anything else. */
export function callerNumber(fromNumber: string | null): string | null {
  const reading = normaliseNetworkNumber(fromNumber ?? '', ANY_NUMBER);
  return 'e164' in reading ? reading.e164 : null;
}

/**
 * Returns the number for the limit of one live call per number. E.164 if possible, so that our calls to the person count too. If not, the
 * bare digits. Null for a withheld number.
 */
export function numberOfCaller(fromNumber: string | null): string | null {
  const user = (fromNumber ?? '').replace(/^\s*(?:sips?|tel):/i, '').split('@')[0] ?? '';
  const digits = user.replace(/\D/g, '');
  return callerNumber(user) ?? (digits.length >= MIN_DIGITS && /[1-9]/.test(digits) ? digits : null);
}
