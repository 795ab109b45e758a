const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** Formats a number without an exponent: `0.0000001`, not `1e-7`. */
export function plainNumber(value: number): string {
  const text = String(value);
  const [, sign, first, rest = '', exponent] = EXPONENTIAL.exec(text) ?? [];
  if (sign === undefined || first === undefined) return text;
  const digits = first + rest;
  const places = 1 + Number(exponent);
  // Large exponents start at 1e21, so such a number has no decimals.
  return places > 0 ? sign + digits.padEnd(places, '0') : `${sign}0.${'0'.repeat(-places)}${digits}`;
}
