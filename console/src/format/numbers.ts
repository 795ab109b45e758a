const COUNT = new Intl.NumberFormat('en');
const COST = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

export const countOf = (value: number): string => COUNT.format(value);

export const creditsOf = (value: number): string =>
  `${COST.format(value)} ${value === 1 ? 'credit' : 'credits'}`;

/** Formats a share as a whole percentage. Only zero shows as 0 %, and only a complete share as 100 %. */
export function percentOf(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}
