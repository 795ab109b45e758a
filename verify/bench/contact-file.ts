const FIRST_NUMBER = 9_810_000_000;
/** Numbers ending in 00 to 69 are answered and talk to the end. */
const ANSWERED_ENDINGS = 70;

/** Returns the national number of the nth contact, starting at 0. The numbers are valid, distinct and answered by the simulator. */
export function answeredNumber(nth: number): string {
  return String(FIRST_NUMBER + Math.floor(nth / ANSWERED_ENDINGS) * 100 + (nth % ANSWERED_ENDINGS));
}

export function contactFile(contacts: number): string {
  const rows = Array.from({ length: contacts }, (_, nth) => `Contact ${nth + 1},${answeredNumber(nth)}`);
  return ['name,phone_number', ...rows, ''].join('\n');
}
