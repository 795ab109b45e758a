const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** Formats a number without an exponent, such as `0.0000001` instead of `1e-7`. */
export function plainNumber(value: number): string {
  const text = String(value);
  const [, sign, first, rest = '', exponent] = EXPONENTIAL.exec(text) ?? [];
  if (sign === undefined || first === undefined) return text;
  const digits = first + rest;
  const places = 1 + Number(exponent);
  // Positive exponents start at 1e21, where a number has no decimals.
  return places > 0 ? sign + digits.padEnd(places, '0') : `${sign}0.${'0'.repeat(-places)}${digits}`;
}
