import { normaliseNetworkNumber } from '../../workflows/domain/phone-number';

/** E.164 of the number that a caller rang from, of any country; null for what a network says instead of one. */
export function callerNumber(fromNumber: string | null): string | null {
  const reading = normaliseNetworkNumber(fromNumber ?? '', { allowedCountries: ['*'] });
  return 'e164' in reading ? reading.e164 : null;
}
