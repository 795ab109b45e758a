const COUNT = new Intl.NumberFormat('en');
const COST = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

export const countOf = (value: number): string => COUNT.format(value);

export const creditsOf = (value: number): string =>
  `${COST.format(value)} ${value === 1 ? 'credit' : 'credits'}`;

/** Whole percent. A positive part is at least 1 %, and an incomplete part at most 99 %. */
export function percentOf(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}
