import { ANY_NUMBER, normaliseNetworkNumber } from './phone-number';

/** A number with fewer digits is an extension or a placeholder of the network. */
const MIN_DIGITS = 7;

/** Returns the caller's number in E.164, or null if the network reports something else. */
export function callerNumber(fromNumber: string | null): string | null {
  const reading = normaliseNetworkNumber(fromNumber ?? '', ANY_NUMBER);
  return 'e164' in reading ? reading.e164 : null;
}

/**
 * Returns the number for the limit of one live call per number. It is in E.164 if possible, so that calls to the person are included.
 * Otherwise it is the bare digits, or null for a withheld number.
 */
export function numberOfCaller(fromNumber: string | null): string | null {
  const user = (fromNumber ?? '').replace(/^\s*(?:sips?|tel):/i, '').split('@')[0] ?? '';
  const digits = user.replace(/\D/g, '');
  return callerNumber(user) ?? (digits.length >= MIN_DIGITS && /[1-9]/.test(digits) ? digits : null);
}
