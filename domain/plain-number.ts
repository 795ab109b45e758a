const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** A number in plain decimals: `0.0000001`, never `1e-7`. */
export function plainNumber(value: number): string {
  const text = String(value);
  const [, sign, first, rest = '', exponent] = EXPONENTIAL.exec(text) ?? [];
  if (sign === undefined || first === undefined) return text;
  const digits = first + rest;
  const places = 1 + Number(exponent);
  // JavaScript writes exponents from 1e21 on, where all digits stand before the point.
  return places > 0 ? sign + digits.padEnd(places, '0') : `${sign}0.${'0'.repeat(-places)}${digits}`;
}
